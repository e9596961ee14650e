#!/bin/bash
# Runs the programs of this folder on the GPU of this machine. Logs go to the folder that the first
# argument names, by default `results` beside this script. The exit code is 1 if a build of a
# program prints something else than the others, or if compute-sanitizer finds an error.
set -u
cd "$(dirname "$0")" || exit 2
results=$(realpath -m "${1:-results}")
mkdir -p "$results"
wrong=0

fail() {
  echo "WRONG: $1"
  wrong=1
}

# Prints the nanoseconds of each launch, in order.
times() {
  ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum --csv "$1" \
    2>"$results/ncu.log" | awk -F'","' '/gpu__time_duration/ {
      value = $NF; gsub(/[",]/, "", value)
      unit = $(NF - 1)
      print value * (unit ~ /^us/ ? 1e3 : unit ~ /^ms/ ? 1e6 : 1)
    }'
}

# Prints the geometric mean of the launches' ratios, the ratio of the sums, and the number.
ratios() {
  paste "$1" "$2" | awk '$1 > 0 && $2 > 0 {
      logs += log($1 / $2); one += $1; other += $2; ++count
    }
    END { if (count) printf "%.4f %.4f %d\n", exp(logs / count), one / other, count }'
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || exit 77

for folder in programs/*; do
  name=${folder#programs/}
  for variant in rdc weft dlto; do
    printed=$results/$name.$variant.txt
    timeout 120 "$folder/$variant" >"$printed" 2>&1 || fail "$name $variant ends with $?"
    cmp -s "$results/$name.rdc.txt" "$printed" || fail "$name: $variant prints something else than rdc"
  done
  echo "$name: $(wc -l <"$results/$name.weft.txt") lines printed"
done

count=0
for folder in random/*; do
  [ -d "$folder" ] || continue
  count=$((count + 1))
  for files in image.cubin '*.ptx'; do
    # The names are patterns.
    # shellcheck disable=SC2086
    (cd "$folder" && timeout 60 ./driver $files) >"$results/printed" 2>"$results/said" ||
      fail "$folder $files: $(head -1 "$results/said")"
    cmp -s "$results/printed" "$folder/expected.txt" || fail "$folder: $files prints something else"
  done
done
echo "metric gpu.random_programs $count"

# Kernels are loaded with their image, and not by their first launch.
said=$results/load.txt
if times=$(CUDA_MODULE_LOADING=EAGER load/load load/compressed load/plain 2>"$said"); then
  read -r compressed plain <<<"${times//$'\n'/ }"
  echo "metric images.load_ms $compressed"
  echo "metric images.plain_load_ms $plain"
else
  fail "load: $(head -1 "$said")"
fi

if command -v compute-sanitizer >/dev/null; then
  for folder in programs/*; do
    for tool in memcheck racecheck initcheck; do
      log=$results/${folder#programs/}.$tool.txt
      timeout 120 compute-sanitizer --tool "$tool" --error-exitcode 9 "$folder/weft" >"$log" 2>&1 ||
        fail "${folder#programs/}: $tool ends with $?"
      echo "${folder#programs/} $tool: $(grep -h 'SUMMARY' "$log")"
    done
  done
fi

if command -v ncu >/dev/null; then
  for folder in programs/*; do
    name=${folder#programs/}
    for variant in weft dlto rdc; do times "$folder/$variant" >"$results/$name.$variant.times"; done
    for other in dlto rdc; do
      one=$results/$name.weft.times
      read -r mean sum launches <<<"$(ratios "$one" "$results/$name.$other.times")"
      echo "metric gpu.${name}_time_vs_$other ${mean:-0}"
      echo "metric gpu.${name}_total_time_vs_$other ${sum:-0}"
    done
    echo "metric gpu.${name}_launches ${launches:-0}"
  done
fi
exit $wrong
