# Asks the resident engine of Sluice, and runs the cold command whenever that is not certain to work. The same as
# client.c, for machines with neither a compiler nor perl. Bash reaches no socket that has a name, so the engine listens
# on a port of this machine as well. Lengths are bytes: the locale is the plain one until the cold command takes over.

had_locale=${LC_ALL+yes} was_locale=${LC_ALL-}
LC_ALL=C
words=("$@") folder=${0%/*}
format='' said=() env=() cwd='' mask=''
input='' input_ended='' is_slow='' is_taken='' is_committed=''
largest=65536 # What is longer takes bash longer to read than node takes to start.

# Bash takes every function apart when it comes to it; what only the cold command needs is a text until it is needed.
fallback='
give_up() {
  printf "Sluice could not run %s: it cannot be started. Nothing was decided; \`sluice doctor\` says why.\n" "$1" >&2
  exit 127
}

# While nothing has been read from standard input, this process simply becomes the cold command; else that one is fed.
# Once hooks were told to begin, nobody knows what they have done: the command then runs none and says so.
become_cold() {
  local option=$1
  [[ $is_committed ]] && option=--lost
  { exec 3>&-; } 2>/dev/null
  if [[ $option == --lost || $option == --cold-without-network ]]; then
    [[ $option == --lost ]] || option=--cold
    [[ ${NODE_EXTRA_CA_CERTS+yes} ]] && export SLUICE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS
    unset NODE_EXTRA_CA_CERTS
  fi
  trap - PIPE
  shopt -s execfail
  [[ -x ${words[0]} ]] || give_up "${words[0]}"
  if [[ $input || $input_ended ]]; then exec < <(feed 2>/dev/null); fi
  if [[ $had_locale ]]; then LC_ALL=$was_locale; else unset LC_ALL; fi
  has_level || exec env -u SHLVL "${words[@]}" "$option"
  exec "${words[@]}" "$option"
  give_up "${words[0]}"
}

# Bash counts how deep it is, and says so to whatever it becomes; where nobody has counted before, nobody does afterwards.
has_level() {
  local env
  [[ $SHLVL == 1 && -r /proc/self/environ ]] || return 0
  mapfile -d "" -t env </proc/self/environ
  [[ " ${env[*]}" == *" SHLVL="* ]]
}

# Everything that was read already, then what is still to come. What a timed read has left in its buffer only another
# read can get, so whoever was slow is read on here.
feed() {
  local piece code
  printf %s "$input"
  [[ $input_ended ]] && return
  [[ $is_slow ]] || exec cat
  while kill -0 $$; do
    IFS= read -r -N "$largest" -t 0.1 piece
    code=$?
    printf %s "$piece"
    ((code == 0 || code > 128)) || return
  done
}
'

cold() {
  eval "$fallback"
  become_cold "$1"
}

# The owner is looked at and not the mode: that would take another process.
secrets() {
  [[ -d $folder && ! -L $folder && -O $folder ]] || cold --cold
  [[ -e $folder/token && -s $folder/port ]] || cold --start
  [[ -O $folder/token && -r $folder/token && -O $folder/port && ! -L $folder/port ]] || cold --cold
  IFS=' ' read -r ours theirs <"$folder/token"
  IFS= read -r port <"$folder/port"
  # Not by an expression: one that counts to 64 takes longer to compile than all the rest.
  [[ ${#ours}${#theirs} == 6464 && $ours$theirs != *[!0-9a-f]* ]] || cold --cold
  [[ $port && ${#port} -lt 6 && $port != *[!0-9]* ]] || cold --cold
}

# Shows our secret, and believes only whoever answers with the other one, at once. An engine that keeps us waiting would
# keep all others waiting too, and in the end not even let them in: it is not asked again until it says that it is well.
greet() {
  local said
  { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || cold --start
  say 'SLUICE/3 %s\n' "$ours"
  send
  look_around
  # By its length: a line is read sign by sign.
  IFS= read -r -N 74 -t 0.25 -u 3 said
  (($? > 128)) && { : >"$folder/port"; } 2>/dev/null
  [[ $said == "SLUICE/3 $theirs"$'\n' ]] || cold --cold
}

# What is said goes out in one piece, when there is nothing to do but wait: every piece costs the engine a turn.
say() {
  format+=$1
  said+=("${@:2}")
}

send() {
  [[ $format ]] || return
  # shellcheck disable=SC2059
  printf "$format" "${said[@]}" >&3 2>/dev/null || cold --cold
  format='' said=()
}

# What there is to tell about this process, found out while the engine looks at our secret.
look_around() {
  local name real old=${OLDPWD-} had_old=${OLDPWD+yes}
  cwd=$PWD
  if [[ -r /proc/self/environ ]]; then mapfile -d '' -t env </proc/self/environ; else
    for name in $(compgen -e); do env+=("$name=${!name}"); done
  fi
  if [[ -r /proc/self/status ]]; then { read -r _ && read -r _ mask; } </proc/self/status; fi
  [[ $mask == 0?* && $mask != *[!0-7]* ]] || mask=$(umask)
  cd -P . 2>/dev/null || cold --cold
  real=$PWD PWD=$cwd cwd=$real
  if [[ $had_old ]]; then OLDPWD=$old; else unset OLDPWD; fi
}

ask() {
  local IFS=' ' all_env all_words more_env more_words one='\0%s'
  all_env=${env[*]} all_words=${words[*]}
  printf -v more_env '%*s' $((${#env[@]} > 1 ? ${#env[@]} - 1 : 0)) ''
  printf -v more_words '%*s' $((${#words[@]} - 1)) ''
  more_env=${more_env// /$one} more_words=${more_words// /$one}
  say "%d %d %d %d\n%s$more_env%s%s$more_words" \
    "${#all_env}" "${#cwd}" "${#all_words}" "$((8#$mask))" "${env[0]-}" "${env[@]:1}" "$cwd" "${words[@]}"
}

frame() {
  local size=${#1} length
  printf -v length '\\x%02x' $((size >> 24 & 255)) $((size >> 16 & 255)) $((size >> 8 & 255)) $((size & 255))
  say "$length%s" "$1"
}

# Gives the engine what has come since. Most agents close the pipe at once; the others are looked at in turns.
read_input() {
  local piece code
  IFS= read -r -N $((largest + 1 - ${#input})) -t 0.05 piece 2>/dev/null
  code=$?
  input+=$piece
  if ((code > 128)); then is_slow=yes; elif ((code != 0)); then input_ended=yes; fi
  ((${#input} > largest)) && cold --cold
  [[ $piece ]] && turns=0 && frame "$piece"
  [[ $input_ended ]] && frame ''
}

# The whole answer, when it has come: nothing is printed before.
print_answer() {
  local code=$1 out=$2 err=$3 body=''
  if ((out + err > 0)); then
    IFS= read -r -N $((out + err)) -t "$seconds" -u 3 body
    (($? > 128)) && [[ $is_taken ]] && cold --lost
  fi
  ((${#body} == out + err && code < 256)) || cold --cold
  # Who was not asked says that he has it.
  [[ $is_taken ]] || say '\xff\xff\xff\xff'
  send
  printf %s "${body:0:out}"
  printf %s "${body:out}" >&2
  exit "$code"
}

# Before it decides and before hooks run, the engine asks, and says how many seconds that may take. Time alone does not
# take a call back from an engine that was told to go on; but who was stopped himself looks once more.
hear() {
  local heard='' line code exit_code out err patience turns=0 seconds=2 is_late=''
  while ((turns++ < 60)); do
    [[ $input_ended || $is_taken ]] || read_input
    [[ $input ]] || [[ $input_ended ]] || turns=0
    send
    if [[ $is_late ]]; then patience=0.2; elif [[ $is_taken || $input_ended ]]; then patience=$seconds; else patience=0.05; fi
    IFS= read -r -t "$patience" -u 3 line
    code=$?
    heard+=$line
    if ((code > 128)); then
      [[ $is_late ]] && cold --lost
      if [[ $is_taken ]]; then is_late=yes; elif [[ $input_ended ]]; then break; fi
      continue
    fi
    ((code == 0)) || break
    case $heard in
      '') ;; # The engine has heard us.
      COLD) cold --cold-without-network ;;
      READY\ *)
        seconds=${heard#READY }
        [[ ! $is_taken && $seconds && ${#seconds} -lt 7 && $seconds != *[!0-9]* ]] || break
        say '\xff\xff\xff\xff'
        is_taken=yes heard='' turns=0
        ;;
      HOOKS\ *)
        seconds=${heard#HOOKS }
        [[ ! $is_committed && $seconds && ${#seconds} -lt 7 && $seconds != *[!0-9]* ]] || break
        say '\xff\xff\xff\xff'
        is_taken=yes is_committed=yes is_late='' heard=''
        ;;
      *)
        line=${heard#DONE } exit_code=${line%% *} line=${line#* } out=${line%% *} err=${line#* }
        [[ $heard == "DONE $exit_code $out $err" && $exit_code && $out && $err ]] || break
        [[ $exit_code$out$err != *[!0-9]* && ${#exit_code} -lt 4 && ${#out} -lt 10 && ${#err} -lt 10 ]] || break
        print_answer $((10#$exit_code)) $((10#$out)) $((10#$err))
        ;;
    esac
  done
  cold --cold
}

if ((${#words[@]} < 3)) || [[ $folder != /* ]]; then
  echo 'usage: <absolute path of this client> <program> <launcher> run <agent>' >&2
  exit 127
fi
[[ ${SLUICE_RESIDENT-} == 0 ]] && cold --cold
for word in "${words[@]}"; do [[ $word == --cold ]] && cold --cold; done
trap '' PIPE
secrets
greet
ask
hear
