# measure.sh REPORT COMMAND [ARGUMENT...]: runs the command and writes the kilobytes of its largest
# process to the report, then its user and system time. GNU time alone cuts times to hundredths of a
# second, which is as long as many steps take.
report=$1
shift
TIMEFORMAT='%3U %3S'
exec 3>&2
{ time /usr/bin/time --format=%M --output="$report" "$@" 2>&3; } 2> "$report.times"
status=$?
cat "$report.times" >> "$report"
rm "$report.times"
exit "$status"
