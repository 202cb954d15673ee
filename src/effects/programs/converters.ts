import type { Word } from "../parse/command.ts";
import { allValues, each, operand, operands, operandsFrom, option, valueIs } from "./act.ts";
import { type Call, has, known, operandText, pieceOf, reads, talks, value, values, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that make one file from another: pictures, sound, video, documents, style sheets, maps, images of disks. */
export const CONVERTERS = (): Programs => ({
  "convert magick montage composite gm": {
    options: PICTURE_OPTIONS,
    style: "whole",
    does: (call) => pictures(call, /^(?:gm|magick)$/.test(call.report.program) ? operandText(call) : ""),
    examples: [
      ["convert x.png new.gif", "reads x.png", "writes new.gif"],
      ["magick -size 10x10 xc:red -resize 50% png:b", "writes b"],
      ["magick identify a.png", "reads a.png"],
      ["gm convert a.png b.png", "reads a.png", "writes b.png"],
      ["montage a.png b.png -tile 2x1 sheet.png", "reads a.png", "reads b.png", "writes sheet.png"],
      [
        "convert https://example.org/a.png a.jpg",
        "network-in",
        "fetches from example.org",
        "writes a.jpg",
        "network a.jpg flows to file",
      ],
    ],
  },
  mogrify: {
    options: PICTURE_OPTIONS,
    style: "whole",
    does: (call) => pictures(call, "mogrify"),
    examples: [
      ["mogrify -resize 50% a.png", "reads a.png", "writes a.png"],
      ["mogrify -path out a.png", "reads a.png", "writes out"],
      ["mogrify -format jpg a.png", "reads a.png", "writes a.jpg"],
    ],
  },
  "identify ffprobe ffplay soxi pdfinfo pdffonts webpinfo mkvinfo mediainfo gdalinfo ogrinfo": {
    readOnly: true,
    options:
      "format= print_format|of= show_entries= select_streams= v= loglevel= f= i= f l show_streams show_format hide_banner",
    style: "whole",
    does: (call) => inputs(call, [...call.operands, ...values(call, "i")]),
    examples: [["identify a.png", "reads a.png"]],
  },
  ffmpeg: {
    style: "whole",
    options: "f=",
    does: [
      { when: valueIs("f", /^(?:avfoundation|x11grab|v4l2|gdigrab|dshow|pulse|alsa|kmsgrab)$/), roles: ["record"] },
      film,
    ],
    examples: [
      ["ffmpeg -f x11grab -i :0 a.mp4", "record", "reads :0", "writes a.mp4"],
      ["ffmpeg -y -i a.mp4 -c:v libx264 -an b.mp4", "reads a.mp4", "writes b.mp4"],
      ["ffmpeg -i a.mp4 -vn b.mp3 -an c.mp4", "reads a.mp4", "writes b.mp3", "writes c.mp4"],
      ["ffmpeg -i a.mp4 -f null -", "reads a.mp4"],
      ["ffmpeg -i a.mp4 -f flv rtmp://example.org/x", "network-out", "reads a.mp4", "sends to example.org"],
    ],
  },
  "sox rec": {
    options: "t= r= b= c= e= C= v= rate= bits= channels= encoding= type= n d q V? S D G",
    does: (call) => {
      const effect = call.operands.findIndex(({ text }) => SOUND_EFFECTS.test(text));
      const files = effect < 0 ? call.operands : call.operands.slice(0, effect);
      inputs(call, call.report.program === "rec" ? [] : files.slice(0, -1));
      writes(call, files.at(-1));
    },
    examples: [["sox a.wav b.mp3 trim 0 10", "reads a.wav", "writes b.mp3"]],
  },
  "gs ps2pdf ps2ps eps2eps pdf2ps pdf2dsc": {
    // What a page may do without the sandbox is not known.
    readOnly: (run) => (has(run, "dNOSAFER", "dDELAYSAFER") ? false : undefined),
    options: "sOutputFile|o= sDEVICE= r= c= f q",
    style: "whole",
    first: [
      { names: "gs", reads: operands, writes: allValues("sOutputFile") },
      { reads: operand(0), writes: operand(1) },
    ],
    examples: [
      ["gs -sDEVICE=pdfwrite -sOutputFile=b.pdf a.pdf", "reads a.pdf", "writes b.pdf"],
      ["gs -o b.pdf -sDEVICE=pdfwrite a.pdf", "reads a.pdf", "writes b.pdf"],
      ["ps2pdf a.ps b.pdf", "reads a.ps", "writes b.pdf"],
    ],
  },
  inkscape: {
    is: { "writes-unnamed": true },
    options: `export-filename|export-png|export-pdf|export-ps|export-eps|export-plain-svg|o|e|A|l=
      export-type= export-dpi|d= export-width|w= export-height|h= export-area|a= export-id|i= actions= verb=`,
    reads: operands,
    writes: option("export-filename"),
    examples: [["inkscape a.svg --export-filename=b.png", "reads a.svg", "writes b.png"]],
  },
  "optipng jpegoptim advpng oxipng gifsicle svgo pngquant": {
    is: { "writes-unnamed": true },
    options: `output|out|o= m= max= quality= speed|s= ext= colors|k= resize= dest|d= config= dir= strip= keep
      force|f quiet|q recursive|r z i= O? batch|b info`,
    does: (call) => {
      const target = value(call, "output") ?? value(call, "dest") ?? value(call, "dir");
      const isInPlace = /^(?:optipng|jpegoptim|advpng|oxipng|svgo)$/.test(call.report.program) || has(call, "batch");
      // The -o of optipng and oxipng is how hard they try.
      const isLevel = /^(?:\d|max)$/.test(target?.text ?? "");
      const files = call.operands.filter(({ text }) => !/^#\d/.test(text));
      for (const file of files) reads(call, file);
      if (target !== undefined && !isLevel) writes(call, target);
      else if (call.report.program === "pngquant")
        for (const file of files)
          writes(call, pieceOf(file, file.text.replace(/\.png$/, value(call, "ext")?.text ?? "-fs8.png")));
      else if (isInPlace) for (const file of files) writes(call, file);
    },
    examples: [
      ["optipng -o2 a.png", "reads a.png", "writes a.png"],
      ["pngquant --ext .png --force a.png", "reads a.png", "writes a.png"],
      ["gifsicle -O3 a.gif -o b.gif", "reads a.gif", "writes b.gif"],
      ["svgo a.svg -o b.svg", "reads a.svg", "writes b.svg"],
    ],
  },
  [`cwebp dwebp gif2webp img2webp webpmux rsvg-convert potrace mmdc dot neato fdp circo twopi sfdp oggenc mkvmerge nasm dtc
    xsltproc quicktype esbuild uglifyjs terser csso cleancss cjpeg djpeg jpegtran heif-enc genisoimage mkisofs
    asciidoctor asciidoc flac`.replaceAll(/\s+/g, " ")]: {
    options: `output|o|outfile|out-file|outdir|destination-dir|D= input|i= q= quality= resize== crop= T= K= G= N= E= f= format= m= z= w= h= width= height=
      theme|t= backgroundColor|b= configFile= cssFile= s= scale= l= V= J= r= b= lang= src= src-lang= param== stringparam==
      encode= schema= xpath= a= attribute= backend= B= compilation_level= target= platform= external= loader= define= c? M?`,
    style: "anywhere",
    reads: each(allValues("input"), operands),
    writes: allValues("output"),
    does: (call) => {
      if (/^(?:asciidoctor|asciidoc)$/.test(call.report.program) && !has(call, "output"))
        for (const file of call.operands) writes(call, pieceOf(file, file.text.replace(/\.\w+$/, ".html")));
      if (call.report.program === "flac" && !has(call, "output"))
        for (const file of call.operands)
          writes(call, pieceOf(file, file.text.replace(/\.\w+$/, has(call, "d", "decode") ? ".wav" : ".flac")));
    },
    examples: [
      ["cwebp -q 80 a.png -o b.webp", "reads a.png", "writes b.webp"],
      ["dot -Tpng a.dot -o b.png", "reads a.dot", "writes b.png"],
      ["dot -Tsvg a.dot", "reads a.dot"],
      ["mmdc -i a.mmd -o a.svg", "reads a.mmd", "writes a.svg"],
      ["xsltproc -o b.html a.xsl a.xml", "reads a.xsl", "reads a.xml", "writes b.html"],
      ["esbuild a.ts --bundle --outfile=b.js", "reads a.ts", "writes b.js"],
      ["asciidoctor a.adoc", "reads a.adoc", "writes a.html"],
      ["flac a.wav", "reads a.wav", "writes a.flac"],
    ],
  },
  "lame opusenc opusdec avifenc avifdec cjxl djxl heif-convert pdfunite wkhtmltopdf wkhtmltoimage weasyprint ebook-convert gdal_translate gdalwarp lessc rst2html rst2latex rst2man rst2odt zopflipng":
    {
      options: `b= V= q= quality|Q= m= s|speed= e= d= of= co= ot= outsize= te= tr= t_srs= s_srs= r= dpi= orientation= page-size=
      margin-top= margin-bottom= margin-left= margin-right= stylesheet= min= max= a= j=`,
      does: (call) => {
        inputs(call, call.operands.slice(0, -1));
        if (call.operands.length > 1) writes(call, call.operands.at(-1));
        else inputs(call, call.operands);
      },
      examples: [
        ["lame -V 2 a.wav b.mp3", "reads a.wav", "writes b.mp3"],
        ["pdfunite a.pdf b.pdf c.pdf", "reads a.pdf", "reads b.pdf", "writes c.pdf"],
        [
          "wkhtmltopdf https://example.org b.pdf",
          "network-in",
          "fetches from example.org",
          "writes b.pdf",
          "network b.pdf flows to file",
        ],
        ["lessc a.less", "reads a.less"],
      ],
    },
  xmllint: {
    options: "output|o= schema= relaxng= dtdvalid= xpath= encode= pattern= maxmem= path= format noout",
    reads: operands,
    writes: option("output"),
    examples: [
      ["xmllint --format a.xml", "reads a.xml"],
      ["xmllint --format a.xml --output b.xml", "reads a.xml", "writes b.xml"],
    ],
  },
  ogr2ogr: {
    options: "f= of= t_srs= s_srs= nln= nlt= where= sql= lco== select= overwrite append update",
    reads: operand(1),
    writes: operand(0),
    examples: [["ogr2ogr -f GeoJSON b.json a.shp", "reads a.shp", "writes b.json"]],
  },
  sass: {
    options: "style|s= load-path|I= watch|w update no-source-map",
    does: ({ operands: files, ...call }) => {
      for (const file of files.filter(({ text }) => text.includes(":"))) {
        const [from = "", to = ""] = file.text.split(":", 2);
        reads({ ...call, operands: files }, pieceOf(file, from));
        writes({ ...call, operands: files }, pieceOf(file, to));
      }
      const [from, to] = files.filter(({ text }) => !text.includes(":"));
      reads({ ...call, operands: files }, from);
      writes({ ...call, operands: files }, to);
    },
    examples: [
      ["sass a.scss b.css", "reads a.scss", "writes b.css"],
      ["sass src:dist", "reads src", "writes dist"],
    ],
  },
  "pdftotext pdftohtml pdftops pdftocairo pdftoppm pdfimages pdfseparate": {
    is: { "writes-unnamed": true },
    options: "f= l= r= enc= opw= upw= x= y= W= H= scale-to= layout raw nopgbrk png jpeg singlefile svg pdf",
    style: "whole",
    reads: operand(0),
    writes: ({ report, operands: [from, to] }) => [
      to ??
        (/^pdfto(?:text|ps)$/.test(report.program) && from
          ? pieceOf(from, from.text.replace(/\.pdf$/, report.program === "pdftops" ? ".ps" : ".txt"))
          : undefined),
    ],
    examples: [
      ["pdftotext a.pdf", "reads a.pdf", "writes a.txt"],
      ["pdftotext a.pdf -", "reads a.pdf"],
      ["pdftoppm -r 80 a.pdf page", "reads a.pdf", "writes page"],
    ],
  },
  qpdf: {
    options: "replace-input password= rotate= check show-npages json encrypt",
    does: ({ operands: files, ...call }) => {
      const run: Call = { ...call, operands: files };
      reads(run, files[0]);
      if (has(run, "replace-input")) writes(run, files[0]);
      else if (files.length > 1) writes(run, files.at(-1));
    },
    examples: [
      ["qpdf a.pdf --pages . 1-5 -- b.pdf", "reads a.pdf", "writes b.pdf"],
      ["qpdf --check a.pdf", "reads a.pdf"],
    ],
  },
  pdftk: {
    does: (call) => {
      const at = call.operands.findIndex(({ text }) => text === "output");
      for (const word of call.operands.slice(0, at < 0 ? undefined : at))
        if (/\.\w+$/.test(word.text)) reads(call, pieceOf(word, word.text.replace(/^[A-Z]+=/, "")));
      if (at >= 0) writes(call, call.operands[at + 1]);
    },
    examples: [["pdftk a.pdf b.pdf cat output c.pdf", "reads a.pdf", "reads b.pdf", "writes c.pdf"]],
  },
  tesseract: {
    options: "l= psm= oem= c= dpi= tessdata-dir= user-words=",
    reads: operand(0),
    writes: ({ operands: [, base, kind] }) => [
      base && base.text !== "stdout" ? pieceOf(base, `${base.text}.${kind?.text ?? "txt"}`) : undefined,
    ],
    examples: [
      ["tesseract a.png out", "reads a.png", "writes out.txt"],
      ["tesseract a.png stdout -l deu", "reads a.png"],
    ],
  },
  "soffice libreoffice": {
    is: { "writes-unnamed": true },
    options: "convert-to= outdir= infilter= headless norestore env:UserInstallation=",
    reads: operands,
    does: (call) => {
      const ending = value(call, "convert-to")?.text.split(":")[0];
      const folder = value(call, "outdir");
      if (ending !== undefined)
        for (const file of call.operands) {
          const made = `${(file.text.split("/").at(-1) ?? "").replace(/\.\w+$/, "")}.${ending}`;
          writes(call, pieceOf(file, folder === undefined ? made : `${folder.text}/${made}`));
        }
    },
    examples: [["soffice --headless --convert-to pdf --outdir out a/b.docx", "reads a/b.docx", "writes out/b.pdf"]],
  },
  protoc: {
    is: { "writes-unnamed": true },
    options: "proto_path|I= plugin= descriptor_set_out|o=",
    reads: operands,
    writes: ({ command, ...call }) => [
      ...values(call, "descriptor_set_out"),
      ...command.args.flatMap(
        (word) =>
          /^--\w+_out=(?:.*:)?(.+)$/
            .exec(word.text)
            ?.slice(1, 2)
            .map((path) => pieceOf(word, path)) ?? [],
      ),
    ],
    examples: [["protoc --go_out=gen a.proto", "reads a.proto", "writes gen"]],
  },
  mksquashfs: {
    options: "comp= b= Xcompression-level= noappend all-root quiet",
    style: "whole",
    reads: operand(0),
    tree: true,
    does: [{ writes: operandsFrom(1) }],
    examples: [["mksquashfs src b.sqsh -comp xz", "reads src tree", "writes b.sqsh"]],
  },
  exiftool: {
    options: "o= w= x= api= d= c= if= config= overwrite_original overwrite_original_in_place r q json",
    style: "whole",
    reads: operands,
    does: (call) => {
      const target = value(call, "o");
      if (target !== undefined) writes(call, target);
      else if (call.command.args.some(({ text }) => /^-[\w:]+[-+<^]?=|^-(?:tagsFromFile|delete_original)/i.test(text)))
        for (const file of call.operands) writes(call, file);
    },
    examples: [
      ["exiftool a.jpg", "reads a.jpg"],
      ["exiftool -all= a.jpg", "reads a.jpg", "writes a.jpg"],
    ],
  },
  "strip objcopy": {
    options: "o= O= I= j= R= K= N= S g only-section= add-section= remove-section= strip-all|s strip-debug|d",
    does: (call) => {
      const [from, to] = call.operands;
      const files = call.report.program === "strip" ? call.operands : [from];
      for (const file of files) reads(call, file);
      const target = value(call, "o") ?? (call.report.program === "strip" ? undefined : to);
      for (const file of target === undefined ? files : [target]) writes(call, file);
    },
    examples: [
      ["strip a.out", "reads a.out", "writes a.out"],
      ["strip -o b a", "reads a", "writes b"],
      ["objcopy -O binary a.elf b.bin", "reads a.elf", "writes b.bin"],
    ],
  },
});

/** Options with a value, of ImageMagick and GraphicsMagick. */
const PICTURE_OPTIONS = `resize= quality= density= geometry= crop= gravity= fill= stroke= pointsize= font= annotate== draw= rotate= blur=
  size= background= extent= type= depth= colors= colorspace= format= delay= loop= layers= compose= alpha= fuzz= border= bordercolor=
  thumbnail= scale= sample= sharpen= unsharp= level= threshold= channel= define= set== tile= write= page= dispose= interlace= path=
  sampling-factor= units= filter= label= comment= modulate= gamma= evaluate== virtual-pixel= strokewidth= splice= chop= shave= fx=
  metric= dissolve= swap= limit== profile= title= shadow= verbose strip trim auto-orient flatten negate append normalize flip flop`;

/** Pictures that no file holds, and output that is no file. */
const MADE_PICTURES =
  /^(?:xc|canvas|label|caption|gradient|radial-gradient|plasma|pattern|logo|rose|null|info|fd|inline|clipboard|x|pango):/i;
const SIZE = /^[-+]?[\d.]+%?(?:[x,+-][-+\d.x%]*)?[%!<>^@]?$|^[()+]$|^#\w{3,8}$/;

function pictures(call: Call, verb: string): void {
  const isVerb = /^(?:convert|mogrify|identify|montage|composite|display|animate)$/.test(verb);
  const isFirst = isVerb && operandText(call) === verb;
  const files = call.operands.slice(isFirst ? 1 : 0).filter(({ text }) => !SIZE.test(text));
  const [folder, format] = [value(call, "path"), value(call, "format")];
  for (const made of values(call, "write")) writes(call, withoutFormat(made));
  if (/^(?:identify|display|animate)$/.test(verb)) inputs(call, files);
  else if (verb === "mogrify") {
    inputs(call, files);
    if (folder !== undefined) writes(call, folder);
    else
      for (const file of files)
        writes(call, format === undefined ? file : pieceOf(file, file.text.replace(/\.\w+$/, `.${format.text}`)));
  } else {
    inputs(call, files.slice(0, -1));
    const made = files.at(-1);
    if (made !== undefined && !MADE_PICTURES.test(made.text)) writes(call, withoutFormat(made));
  }
}

/** `png:file` is the file, in that format. */
function withoutFormat(word: Word): Word {
  return pieceOf(word, word.text.replace(/^[a-z][a-z\d]{1,9}:(?!\/\/|\\)/i, "").replace(/\[[\dx,+-]+\]$/, ""));
}

/** Files or addresses that a program reads. */
function inputs(call: Call, words: readonly Word[]): void {
  for (const word of words)
    if (/^(?:https?|ftp|rtsp|rtmps?|srt|udp|tcp|sftp):\/\//i.test(word.text)) talks(call, "in", word);
    else if (!MADE_PICTURES.test(word.text) && word.text !== "-") reads(call, withoutFormat(word));
}

/** ffmpeg: every option takes a value, except these; what is neither is an output. */
function film(call: Call): void {
  const { args } = call.command;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? known("");
    if (word.text === "-i") inputs(call, [args[++at] ?? known("")]);
    else if (
      /^-(?:y|n|[vasd]n|hide_banner|nostdin|stdin|shortest|re|copyts|stats|nostats|report|\w*formats|version|codecs|\w+coders|filters|h|help|start_at_zero|autorotate|noautorotate|accurate_seek|bitexact|benchmark)$/.test(
        word.text,
      )
    )
      continue;
    else if (/^-(?:progress|passlogfile|vstats_file|dump_attachment\S*)$/.test(word.text)) writes(call, args[++at]);
    else if (/^-./.test(word.text)) at++;
    else if (/^(?!file:)[a-z]\w+:\/\//i.test(word.text)) talks(call, "out", word);
    else if (!/^(?:-|pipe:.*|null)$/.test(word.text)) writes(call, pieceOf(word, word.text.replace(/^file:/, "")));
  }
}

const SOUND_EFFECTS =
  /^(?:allpass|band|bass|bend|biquad|chorus|channels|compand|contrast|dcshift|deemph|delay|dither|divide|downsample|earwax|echos?|equalizer|fade|fir|firfit|flanger|gain|highpass|hilbert|ladspa|loudness|lowpass|mcompand|noiseprof|noisered|norm|oops|overdrive|pad|phaser|pitch|rate|remix|repeat|reverb|reverse|riaa|silence|sinc|spectrogram|speed|splice|stat|stats|stretch|swap|synth|tempo|treble|tremolo|trim|upsample|vad|vol)$/;
