#!/bin/bash
# Encoder, teachers and main fits on a machine with one GPU; the same steps took about twenty minutes on an H100 (gpu.log: two folds at a time, and a small transformer beside each fit):
#
#   models/training/on_gpu.sh PARTS PRETRAINED KEPT
#
# PARTS is what prepare.py wrote, PRETRAINED holds what `train.py --pretrained` made of the same parts, as <package>.pt and <package>.json (an encoder of convolutions and its vocabulary).
# Leaves in KEPT the teachers' encoder, <package>-lessons.npz, <package>.pt (which `train.py --fitted KEPT` measures and exports) and the logs.
set -euo pipefail
here=$(dirname "$0") parts=$1 pretrained=$2 kept=$3
python=${PYTHON:-python3}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} PYTHONUNBUFFERED=1
mkdir -p "$kept/log"

$python "$here/pretrain_transformer.py" --parts "$parts" --tokenizer "$parts/tokenizer.json" --shape teacher --seconds "${SECONDS_OF_PRETRAINING:-450}" --out "$kept/teacher.pt" > "$kept/log/teacher" 2>&1

# The folds differ in their rate of learning too: their mean hangs less on any.
package() {
  local name=$1 fold=0 running=() rate
  for rate in 3e-4 2e-4 4e-4; do
    $python "$here/transformer_teachers.py" --package "$name" --parts "$parts" --encoder "$kept/teacher.pt" --fold $fold --lr $rate --out "$kept/$name-$fold.npz" > "$kept/log/$name-$fold" 2>&1 &
    running+=($!) fold=$((fold + 1))
  done
  for process in "${running[@]}"; do wait "$process"; done
  $python "$here/transformer_teachers.py" --package "$name" --parts "$parts" --join "$kept/$name"-?.npz --out "$kept/$name-lessons.npz" > "$kept/log/$name-joined" 2>&1
  $python "$here/main_fit.py" --package "$name" --parts "$parts" --lessons "$kept/$name-lessons.npz" --encoder "$pretrained/$name.pt" \
    --epochs 8 --weak-per-epoch 60000 --weight-corpus 1.5 --weight-labelled-beside-people 0.12 --out "$kept/$name.pt" > "$kept/log/$name-main" 2>&1
}
package central-bank & first=$!
package earnings-call & second=$!
wait $first && wait $second
