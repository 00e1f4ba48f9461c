#!/bin/bash
# Encoder and teachers on a machine with one GPU, in about nine minutes of an H100 (gpu.log):
#
#   models/training/on_gpu.sh PARTS KEPT
#
# PARTS is what prepare.py wrote; it needs neither labels nor corpora. Leaves in KEPT the teachers' encoder, <package>-lessons.npz, which main_fit.py takes, and the logs.
# A fold a teacher for the central banks; of the calls, whose people's labels are fewer, two of the three, so that a third of people's sentences has labels alone.
set -euo pipefail
here=$(dirname "$0") parts=$1 kept=$2
python=${PYTHON:-python3}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} PYTHONUNBUFFERED=1
mkdir -p "$kept/log"
tokenizer=$parts/tokenizer.json
[ -e "$tokenizer" ] || $python "$here/pretrain_transformer.py" --parts "$parts" --tokenizer "$tokenizer"

# They differ in their rate of learning too: their mean hangs less on any.
rates=(3e-4 2e-4 4e-4)
package() {
  local name=$1 running=() fold
  for fold in $2; do
    $python "$here/transformer_teachers.py" --package "$name" --parts "$parts" --tokenizer "$tokenizer" --encoder "$kept/teacher.pt" --fold "$fold" --lr "${rates[fold]}" \
      --seconds "${SECONDS_OF_TEACHERS:-230}" --out "$kept/$name-$fold.npz" > "$kept/log/$name-$fold" 2>&1 &
    running+=($!)
  done
  trap 'kill "${running[@]}" 2> /dev/null; exit 1' TERM
  local process
  for process in "${running[@]}"; do wait "$process"; done
  $python "$here/transformer_teachers.py" --package "$name" --parts "$parts" --join "$kept/$name"-?.npz --out "$kept/$name-lessons.npz" > "$kept/log/$name-joined" 2>&1
}
rm -f "$kept/teacher.pt"
# The teachers read their sentences while their encoder is pretrained, and wait for it.
package central-bank "0 1 2" & first=$!
package earnings-call "0 1" & second=$!
$python "$here/pretrain_transformer.py" --parts "$parts" --tokenizer "$tokenizer" --shape teacher --seconds "${SECONDS_OF_PRETRAINING:-180}" --out "$kept/teacher.pt" > "$kept/log/teacher" 2>&1 || { kill $first $second; exit 1; }
wait $first
wait $second
