import type { Act } from "./act.ts";
import { allValues, anyArgument, operand, option, valueIs } from "./act.ts";
import type { Call } from "./call.ts";
import type { Programs } from "./program.ts";

/** Traffic that a program records: packets of the loopback interface belong to the programs being developed. */
export const CAPTURE: Act = {
  reads: option("r"),
  writes: option("w"),
  does: [
    { when: "w A X", unless: ["r", ({ given }) => /^lo\d*$/.test(given.get("i")?.at(-1)?.text ?? "")], keys: true },
  ],
};

/** Programs made to get into machines and accounts, and to read the traffic of others. */
export const BREAK_INS = (): Programs => ({
  "hydra medusa ncrack patator crowbar thc-hydra kerbrute brutespray wpscan john hashcat fcrackzip pdfcrack aircrack-ng aireplay-ng airodump-ng wifite reaver mimikatz pypykatz lazagne secretsdump.py impacket-secretsdump impacket-psexec impacket-wmiexec crackmapexec cme nxc netexec evil-winrm responder sqlmap commix xsser rubeus bloodhound-python ssh2john hcxdumptool chntpw":
    {
      unless: asksAboutItself,
      keys: true,
      examples: [
        ["hydra -l root -P words.txt ssh://10.0.0.5", "reveal"],
        ["john hashes.txt", "reveal"],
        ["sqlmap -u https://h.test/?id=1 --dump", "reveal"],
        ["sqlmap --version"],
      ],
    },
  "msfvenom msfconsole msfdb setoolkit beef-xss bettercap ettercap arpspoof dnsspoof mitmf sliver-client sliver-server empire havoc routersploit rsf veil":
    {
      unless: ({ command: { args } }) =>
        args.length > 0 && args.every(({ text }) => /^(?:--?h(?:elp)?|-l|--list\S*|--version)$/.test(text)),
      roles: ["expose"],
      examples: [
        ["msfvenom -p linux/x64/shell_reverse_tcp LHOST=10.0.0.1 -f elf", "expose"],
        ["msfvenom --help"],
        ["bettercap -iface eth0", "expose"],
      ],
    },
  "tshark dumpcap ngrep tcpflow": {
    options: "i|interface= w= r= c= s= f= Y= T= e= F= A X x n v q",
    ...CAPTURE,
    examples: [
      ["tshark -r a.pcap -Y http", "reads a.pcap"],
      ["dumpcap -i eth0 -w a.pcap", "reveal", "writes a.pcap", "environment a.pcap flows to file"],
    ],
  },
  "gcore procdump": {
    // The memory of another program holds its keys.
    unless: [asksAboutItself, ({ operands }) => operands.length === 0],
    options: "o= a p=",
    style: "first",
    keys: true,
    examples: [["gcore 123", "reveal"]],
  },
  nmap: {
    options: "p= oN= oX= oG= oA= script= iL= T= top-ports= s= P= A v",
    style: "whole",
    talks: "both",
    to: operand(0),
    reads: option("iL"),
    writes: allValues("oN oX oG oA"),
    does: [{ when: valueIs("script", /exploit|vuln|brute|dos/), roles: ["expose"] }],
    examples: [
      ["nmap -sV h.test", "network-in network-out", "talks to h.test"],
      [
        "nmap -oX a.xml h.test",
        "network-in network-out",
        "talks to h.test",
        "writes a.xml",
        "network a.xml flows to file",
      ],
    ],
  },
  "zmap masscan": {
    options: "p= rate= o= oJ= oX= oL= i= B= w=",
    style: "whole",
    talks: "both",
    to: operand(0),
    does: [{ roles: ["exhaust"] }],
    examples: [["masscan 10.0.0.0/8 -p80 --rate 100000", "network-in network-out exhaust", "talks to 10.0.0.0"]],
  },
  "fastboot espefuse espefuse.py heimdall nvflash odin4": {
    // What is erased or burnt into a device cannot be restored.
    when: anyArgument(
      /^(?:erase|format(?::\S+)?|flash|flashall|flashing|oem|update|-w|wipe-super|delete-logical-partition|burn[_-]\w+|write[_-]protect\w*|set[_-]flash\w*)$/,
    ),
    roles: ["disk"],
    examples: [
      ["fastboot erase userdata", "disk"],
      ["fastboot devices"],
      ["espefuse.py burn_efuse X", "disk"],
      ["espefuse.py summary"],
    ],
  },
});

/** `sqlmap --version`, without other arguments. */
function asksAboutItself({ command: { args } }: Call): boolean {
  return args.length === 1 && /^(?:--?h(?:elp|h)?|--?version|-V|--show|--list\S*)$/.test(args[0]?.text ?? "");
}
