import { anyArgument, anyOperand, argumentsAre, either, operandIs, operandsAre, valueIs } from "./act.ts";
import type { Programs } from "./program.ts";
import { optionsAsLines } from "./runs.ts";

/** Programs of data platforms, backups and monitoring, and programs that set what may not be set back. */
export const PLATFORMS = (): Programs => ({
  "hdfs hadoop": {
    readOnly: "version|classpath|envvars|fsck",
    does: [
      {
        when: [operandIs(0, /^(?:dfs|fs)$/), anyArgument(/^-(?:rm|rmr|rmdir|expunge|truncate)$/)],
        unless: argumentsAre(/-rm(?: -f)? \/?tmp\//),
        roles: ["cloud", "work-loss"],
      },
      { when: argumentsAre(/-chmod (?:-R )?(?:0?[0-7]{2}[2367]|a\+w|o\+w)/), roles: ["expose"] },
      { when: argumentsAre(/^namenode -format|^dfsadmin -safemode|-deleteSnapshot/), roles: ["cloud", "work-loss"] },
    ],
    examples: [
      ["hdfs dfs -rm -r -skipTrash /data", "cloud work-loss"],
      ["hadoop fs -chmod -R 777 /", "expose"],
      ["hdfs dfs -ls /"],
    ],
  },
  "zkCli.sh zkcli zookeeper-shell zookeeper-shell.sh": {
    when: anyArgument(/^(?:rmr|deleteall|delete)$/),
    roles: ["database", "work-loss"],
    examples: [["zkCli.sh -server h deleteall /kafka", "database work-loss"], ["zkCli.sh ls /"]],
  },
  "pgbackrest barman wal-g snapper timeshift ceph rbd": {
    readOnly: "info|list|list-backup|status|ls|health|df|osd tree|check|show-backup|backup-list|help",
    when: argumentsAre(
      /(?:^|\s)(?:stanza-delete|expire|delete(?:-\S+)?|backup-delete|pool (?:delete|rm)|purge|rm|remove|--delete(?:-all)?|fs rm|snap purge)(?:\s|$)/,
    ),
    roles: ["disk", "work-loss"],
    examples: [
      ["pgbackrest --stanza=a stanza-delete", "disk work-loss"],
      ["snapper -c root delete 1-250", "disk work-loss"],
      ["snapper list"],
    ],
  },
  "airflow dagster prefect": {
    readOnly: "dags list|dags show|tasks list|info|version|config list|help",
    does: [
      { when: operandsAre(/^connections (?:get|export)|^variables (?:get|export)/), keys: true },
      { when: operandsAre(/^db (?:reset|clean)|^dags delete/), roles: ["database", "work-loss"] },
      {
        when: [operandsAre(/^(?:dags|tasks) (?:trigger|backfill|clear|run)|^deployment run/), argumentsAre(/prod/)],
        roles: ["cloud", "outage"],
      },
    ],
    examples: [
      ["airflow connections get x", "reveal"],
      ["airflow db reset -y", "database work-loss"],
      ["airflow dags list"],
      ["airflow dags backfill prod_x", "cloud outage production"],
    ],
  },
  "dbt sqlmesh": {
    is: { "loads-unnamed": true },
    readOnly: "debug|ls|list|parse|compile|docs generate|deps",
    when: [argumentsAre(/(?:^|\s)(?:-t|--target|--environment|--profile)[= ]\S*prod/), operandIs(0, /^(?!test|ls)/)],
    roles: ["database", "outage"],
    does: [{ when: anyArgument(/^(?:--full-refresh|-f)$/), roles: ["work-loss"] }],
    examples: [["dbt run --target prod --full-refresh", "database outage work-loss production"], ["dbt run"]],
  },
  amtool: {
    readOnly: "alert|silence query|check-config|config show|config routes|template render",
    when: operandsAre(/(?:^|\s)silence (?:add|import|update)|(?:^|\s)cluster/),
    roles: ["cloud", "outage"],
    examples: [["amtool silence add alertname=x -d 72h", "cloud outage"], ["amtool silence query"]],
  },
  "semanage mokutil": {
    is: { "system-settings": true },
    when: argumentsAre(/(?:^|\s)(?:permissive -a|-[adm]|--disable-validation|--reset|--delete|--import)(?:\s|$)/),
    roles: ["settings"],
    examples: [["semanage permissive -a httpd_t", "settings"], ["mokutil --sb-state"]],
  },
  "esptool.py esptool avrdude STM32_Programmer_CLI nrfjprog": {
    readOnly: "chip_id|flash_id|read_mac|version|summary",
    when: argumentsAre(/burn[_-]|_?efuse|\bRDP=|--recover|lock:w|[lhe]fuse:w/i),
    roles: ["disk", "overwrite"],
    examples: [["esptool.py burn_efuse JTAG_DISABLE", "disk overwrite"], ["esptool.py chip_id"]],
  },
  "systemd-creds systemd-ask-password": {
    readOnly: "list",
    when: operandIs(0, /^(?:decrypt|cat)$/),
    keys: true,
    examples: [["systemd-creds decrypt /etc/credstore/db -", "reveal"], ["systemd-creds list"]],
  },
  "fab envoy mage": {
    is: { "loads-unnamed": true, "runs-named": true },
    readOnly: "list",
    when: [argumentsAre(/prod/i), anyOperand(/deploy|release|migrate|rollback|restart/i)],
    roles: ["cloud", "outage"],
    examples: [["fab -H prod-1 deploy", "cloud outage production"], ["fab -l"]],
  },
  func: {
    when: operandsAre(/^azure functionapp (?:publish|delete)/),
    roles: ["cloud", "publish"],
    examples: [["func azure functionapp publish fn-x", "cloud publish"], ["func start"]],
  },
  "spark-submit flink": {
    is: { "runs-named": true },
    when: anyOperand(/^http:|^https?:\/\/\d+\./),
    roles: ["foreign-source", "run-code"],
    examples: [["spark-submit http://h.test/a.jar", "foreign-source run-code"], ["spark-submit a.py"]],
  },
  "twilio mailchimp sendgrid": {
    is: { "takes-text": true },
    when: argumentsAre(/(?:messages|calls|send|campaigns):?(?:create|send)?/),
    unless: anyArgument(/^(?:--help|-h|.*:list|.*:fetch)$/),
    roles: ["message"],
    talks: "out",
    examples: [
      ["twilio api:core:messages:create --to x", "message network-out", "sends to ?"],
      ["twilio profiles:list"],
    ],
  },
  "scancel scontrol sacctmgr qdel qmod bkill condor_rm": {
    readOnly: "show|list|ping|help|version",
    does: [
      {
        when: argumentsAre(
          /(?:^|\s)(?:-[uAptwRMn]\s?\S|--(?:user|account|state|partition|nodelist|reservation|name)\b|-?all\b|0$)/,
        ),
        names: "scancel qdel bkill condor_rm",
        roles: ["cloud", "outage"],
      },
      {
        when: anyOperand(
          /^(?:update|requeue\w*|hold|uhold|suspend|reconfigure|shutdown|reboot\w*|delete|cancel_reboot|add|modify|remove)$/i,
        ),
        names: "scontrol sacctmgr qmod",
        roles: ["cloud", "outage"],
      },
    ],
    examples: [
      ["scancel -u ann", "cloud outage"],
      ["scancel 4711"],
      ["scontrol show job 4711"],
      ["scontrol update JobId=1", "cloud outage"],
    ],
  },
  "sbatch salloc qsub": {
    options: "wrap= nodes|N= array|a= time|t= partition|p= account|A= job-name|J= ntasks|n= gres= output|o= exclusive",
    runs: optionsAsLines("wrap"),
    when: either(valueIs("nodes", /^(?:[5-9]\d|\d{3,})/), valueIs("array", /-\d{4,}/)),
    roles: ["cloud", "outage"],
    examples: [["sbatch --wrap='rm x'", "runs rm x"], ["sbatch -N 200 a.sh", "cloud outage"], ["sbatch a.sh"]],
  },
  "mosquitto_pub mqtt mqttx mqttui": {
    options: "h|host|hostname= t|topic= m|message= r|retain u|username= P|password= p|port= f|file= q|qos=",
    when: either(valueIs("t", /(?:^|\/)(?:all|fleet|broadcast|ota|firmware|prod\w*)(?:\/|$)|[+#]/), "r"),
    unless: valueIs("h", /^(?:localhost|127\.)/),
    roles: ["cloud", "outage"],
    examples: [
      ["mosquitto_pub -h mqtt.example.com -t fleet/all/cmd -m x", "cloud outage"],
      ["mosquitto_pub -h localhost -t a/all -m x"],
    ],
  },
  "openocd pyocd st-flash stm32flash JLinkExe dfu-programmer nrfutil commander probe-rs": {
    when: argumentsAre(
      /\b(?:lock|burn\w*|mass[_-]?erase|erase --mass|erase_?all|write_protect|readprotect|secure_boot|option-bytes|protect on|recover|--wp-enable)\b/i,
    ),
    roles: ["disk", "overwrite"],
    examples: [
      ["openocd -c 'init; stm32f1x lock 0; exit'", "disk overwrite"],
      ["openocd -c 'program a.elf verify reset exit'"],
    ],
  },
  keytool: {
    style: "whole",
    options: "keystore= alias= storepass= keypass= file= dname=",
    when: "delete",
    unless: valueIs("keystore", /debug|test|cacerts/),
    roles: ["account", "work-loss"],
    examples: [["keytool -delete -alias a -keystore b.jks", "account work-loss"], ["keytool -list -keystore b.jks"]],
  },
  my_print_defaults: {
    when: "s show",
    options: "show|s",
    keys: true,
    examples: [["my_print_defaults -s client", "reveal"], ["my_print_defaults client"]],
  },
  "kaggle wandb mlflow zenodo_upload": {
    readOnly: "list|status|search|ui|diff|get|show|version|help",
    does: [
      {
        when: argumentsAre(/^(?:datasets|models|kernels) (?:create|version|push)\b.*(?:--public|-u\b)/),
        roles: ["publish"],
      },
      { when: argumentsAre(/(?:^|\s)(?:gc|delete\S*|destroy)\b(?!.*--dry)/), roles: ["cloud", "work-loss"] },
      { when: [argumentsAre(/^(?:models serve|server|ui)\b/), anyArgument(/^0\.0\.0\.0$/)], roles: ["expose"] },
    ],
    examples: [
      ["kaggle datasets create -p data --public", "publish"],
      ["mlflow gc --older-than 1d", "cloud work-loss"],
      ["mlflow ui"],
    ],
  },
  "quarto rsconnect": {
    is: { "runs-named": true },
    when: operandIs(0, /^(?:publish|deploy)$/),
    roles: ["publish", "network-out"],
    examples: [["quarto publish quarto-pub a.qmd", "publish network-out"], ["quarto render a.qmd"]],
  },
  "pio platformio arduino-cli": {
    is: { "loads-unnamed": true },
    readOnly: "list|search|outdated|env|repo list|trunk me|trunk info|device list|boards|help",
    does: [
      { when: operandsAre(/^(?:trunk push|pkg publish|package publish)/), roles: ["publish", "network-out"] },
      {
        when: operandsAre(/^(?:trunk (?:delete|deprecate)|pkg unpublish|package unpublish)/),
        roles: ["publish", "work-loss"],
      },
    ],
    examples: [["pio pkg publish a", "publish network-out"], ["pio pkg unpublish a", "publish work-loss"], ["pio run"]],
  },
  "svc.sh": {
    is: { scheduler: true },
    when: operandIs(0, /^install$/),
    roles: ["persistence"],
    examples: [["svc.sh install", "persistence"], ["svc.sh status"]],
  },
});
