#!/usr/bin/env bash
# Makes a video of an image with nothing but curl: upload, create, wait, download.
#   DAILIES_URL=http://127.0.0.1:8080 DAILIES_KEY=dk_… ./curl.sh boat.jpg "slow push in" boat.mp4
set -euo pipefail
url=${DAILIES_URL:-http://127.0.0.1:8080}
image=$1 prompt=$2 out=$3

# Takes the value of one text field out of an answer. With jq at hand, `jq -r .data.taskId` says it better.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
# Writes a text as a JSON string.
quote() { printf '"%s"' "$(printf %s "$1" | sed 's/[\\"]/\\&/g' | tr '\n' ' ')"; }
call() { curl --silent --show-error --fail-with-body --header "Authorization: Bearer $DAILIES_KEY" "$@"; }

image_url=$(call --form "file=@$image" "$url/api/v1/files/upload" | field downloadUrl)

# The same Idempotency-Key makes no second task, so curl may try again.
task_id=$(call --retry 3 --header 'Content-Type: application/json' --header "Idempotency-Key: $(date +%s%N)-$$" \
  --data "{\"model\":\"videomodel/v2-5-turbo-image-to-video-pro\",\"input\":{\"prompt\":$(quote "$prompt"),\"image_url\":\"$image_url\"}}" \
  "$url/api/v1/jobs/createTask" | field taskId)
echo "Task $task_id"

# The events stream ends with the task.
call --no-buffer "$url/api/v1/jobs/events?taskId=$task_id" |
  sed -n -u 's/.*"state":"\([a-z]*\)".*"progress":\([0-9]*\).*/\1 \2 %/p'

record=$(call "$url/api/v1/video/recordInfo?taskId=$task_id")
video_url=$(field videoUrl <<<"$record")
if [ -z "$video_url" ]; then
  echo "Failed: $(field failMsg <<<"$record")" >&2
  exit 1
fi
curl --silent --show-error --fail --output "$out" "$video_url"
echo "Saved $out"
