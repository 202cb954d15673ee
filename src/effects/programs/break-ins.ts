import { type Call, has, plays, reads, reveals, talks, value, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs made to get into machines and accounts, and to read what others send. */
export const BREAK_INS = (): Programs => ({
  "hydra medusa ncrack patator crowbar thc-hydra kerbrute brutespray wpscan john hashcat fcrackzip pdfcrack aircrack-ng aireplay-ng airodump-ng wifite reaver mimikatz pypykatz lazagne secretsdump.py impacket-secretsdump impacket-psexec impacket-wmiexec crackmapexec cme nxc netexec evil-winrm responder sqlmap commix xsser rubeus bloodhound-python ssh2john hcxdumptool chntpw":
    {
      does: (call) => {
        const [first, second] = call.command.args;
        const isAsked = second === undefined && ASKS.test(first?.text ?? "");
        if (!isAsked) reveals(call);
      },
      examples: [
        ["hydra -l root -P words.txt ssh://10.0.0.5", "reveal"],
        ["john hashes.txt", "reveal"],
        ["sqlmap -u https://h.test/?id=1 --dump", "reveal"],
        ["sqlmap --version"],
      ],
    },
  "msfvenom msfconsole msfdb setoolkit beef-xss bettercap ettercap arpspoof dnsspoof mitmf sliver-client sliver-server empire havoc routersploit rsf veil":
    {
      does: (call) => {
        if (
          call.command.args.length === 0 ||
          !call.command.args.every(({ text }) => /^(?:--?h(?:elp)?|-l|--list\S*|--version)$/.test(text))
        )
          plays(call, "expose");
      },
      examples: [
        ["msfvenom -p linux/x64/shell_reverse_tcp LHOST=10.0.0.1 -f elf", "expose"],
        ["msfvenom --help"],
        ["bettercap -iface eth0", "expose"],
      ],
    },
  "tshark dumpcap ngrep tcpflow": {
    options: "i|interface= w= r= c= s= f= Y= T= e= F= A X x n v q",
    does: tellCapture,
    examples: [
      ["tshark -r a.pcap -Y http", "reads a.pcap"],
      ["dumpcap -i eth0 -w a.pcap", "reveal", "writes a.pcap", "environment a.pcap flows to file"],
    ],
  },
  "zmap masscan": {
    options: "p= rate= o= oJ= oX= oL= i= B= w=",
    style: "whole",
    does: (call) => {
      talks(call, "both", call.operands[0]);
      plays(call, "exhaust");
    },
    examples: [["masscan 10.0.0.0/8 -p80 --rate 100000", "network-in network-out exhaust", "talks to 10.0.0.0"]],
  },
  "fastboot espefuse espefuse.py heimdall nvflash odin4": {
    does: (call) => {
      if (call.command.args.some(({ text }) => FLASHES().test(text))) plays(call, "disk");
    },
    examples: [
      ["fastboot erase userdata", "disk"],
      ["fastboot devices"],
      ["espefuse.py burn_efuse X", "disk"],
      ["espefuse.py summary"],
    ],
  },
});

/** What goes over the network is read by others; over this machine's own loop it is of the programs that are worked on. */
export function tellCapture(call: Call): void {
  reads(call, value(call, "r"));
  writes(call, value(call, "w"));
  const isLoop = /^lo\d*$/.test(value(call, "i")?.text ?? "");
  if (!isLoop && !has(call, "r") && has(call, "w", "A", "X")) reveals(call);
}

/** Alone, it asks the program about itself. */
const ASKS = /^(?:--?h(?:elp|h)?|--?version|-V|--show|--list\S*)$/;
/** What is erased or burnt into a device, and cannot be taken back. */
const FLASHES = () =>
  /^(?:erase|format(?::\S+)?|flash|flashall|flashing|oem|update|-w|wipe-super|delete-logical-partition|burn[_-]\w+|write[_-]protect\w*|set[_-]flash\w*)$/;
