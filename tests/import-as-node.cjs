/** Loads a module as a program does. The runner of the tests would first translate it, and everything that it imports. */
module.exports.importAsNode = (url) => import(url);
