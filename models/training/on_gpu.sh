#!/bin/bash
# Encoder and teachers on a machine with one GPU, in about eight minutes of an H200 (gpu.log):
#
#   models/training/on_gpu.sh PARTS KEPT
#
# PARTS is what prepare.py wrote; it needs neither labels nor corpora. Leaves in KEPT the teachers' encoder, <package>-lessons.npz, which main_fit.py takes, and the logs.
# A fold a teacher for the central banks; of the calls, whose people's labels are fewer, two of the three, so that of a third of people's sentences no teacher says anything.
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 PARTS KEPT" >&2; exit 2; }
here=$(dirname "$0") parts=$1 kept=$2
python=${PYTHON:-python3}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} PYTHONUNBUFFERED=1
mkdir -p "$kept/log"
tokenizer=$parts/tokenizer.json
[ -e "$tokenizer" ] || $python "$here/pretrain_transformer.py" --parts "$parts" --tokenizer "$tokenizer"

# The teachers differ in their rate of learning too: their mean hangs less on any.
rates=(3e-4 2e-4 4e-4)
package() {
  local name=$1 running=() joined=() fold
  trap 'kill $(jobs -pr) 2> /dev/null || true' EXIT
  trap 'exit 1' TERM
  for fold in $2; do
    $python "$here/transformer_teachers.py" --package "$name" --parts "$parts" --tokenizer "$tokenizer" --encoder "$kept/teacher.pt" --fold "$fold" --lr "${rates[fold]}" \
      --seconds "${SECONDS_OF_TEACHERS:-230}" --out "$kept/$name-$fold.npz" > "$kept/log/$name-$fold" 2>&1 &
    running+=($!) joined+=("$kept/$name-$fold.npz")
  done
  local process
  for process in "${running[@]}"; do wait "$process"; done
  $python "$here/transformer_teachers.py" --package "$name" --parts "$parts" --join "${joined[@]}" --out "$kept/$name-lessons.npz" > "$kept/log/$name-joined" 2>&1
}
rm -f "$kept/teacher.pt"
# Whatever ends this ends all that it started.
trap 'kill $(jobs -pr) 2> /dev/null || true' EXIT
trap 'exit 1' INT TERM
# The teachers read their sentences while their encoder is pretrained, and wait for it.
package central-bank "0 1 2" & first=$!
package earnings-call "0 1" & second=$!
$python "$here/pretrain_transformer.py" --parts "$parts" --tokenizer "$tokenizer" --shape teacher --seconds "${SECONDS_OF_PRETRAINING:-180}" --out "$kept/teacher.pt" > "$kept/log/teacher" 2>&1 &
wait $!
wait $first
wait $second
