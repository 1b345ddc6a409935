"""An image to a video, with Python's standard library only.

    DAILIES_URL=http://127.0.0.1:8080 DAILIES_KEY=dk_... python3 generate.py boat.jpg "slow push in" boat.mp4
"""

import base64
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("DAILIES_URL", "http://127.0.0.1:8080").rstrip("/")
KEY = os.environ["DAILIES_KEY"]
MODEL = "videomodel/v2-5-turbo-image-to-video-pro"
UPLOAD_BYTES_MAX = 10 * 2**20  # as base64; larger files go as multipart/form-data


def call(method, path, body=None, attempts=5):
    """The data of the response. Retries when the service is busy or cannot be reached."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    if method == "POST":
        # One key for all attempts: a task is created once, even if a response is lost.
        headers["Idempotency-Key"] = uuid.uuid4().hex
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, attempts + 1):
        request = urllib.request.Request(URL + path, data, headers, method=method)
        wait_s = 0.3 * 2**attempt * random.uniform(0.5, 1)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            code, message = error.code, message_of(error)
            can_retry = code in (429, 455) or (code >= 500 and code not in (501, 505))
            wait_s = float(error.headers.get("Retry-After") or wait_s)
        except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
            code, message, can_retry = 0, str(error), True
        if not can_retry or attempt == attempts or wait_s > 60:
            sys.exit(f"{method} {path} failed with {code}: {message}")
        time.sleep(wait_s)


def message_of(error):
    """What the service says; a proxy in front of it may say something else."""
    text = error.read().decode(errors="replace")
    try:
        return json.loads(text)["msg"]
    except (ValueError, KeyError, TypeError):
        return text[:200] or error.reason


def main(image, prompt, out):
    if os.path.getsize(image) > UPLOAD_BYTES_MAX:
        # Sent anyway, it would be refused before its end, which urllib reports as a broken pipe.
        sys.exit(f"{image} is larger than 10 MB")
    with open(image, "rb") as file:
        base64_data = base64.b64encode(file.read()).decode()
    name = os.path.basename(image)
    image_url = call("POST", "/api/v1/files/upload", {"base64Data": base64_data, "fileName": name})["downloadUrl"]
    body = {"model": MODEL, "input": {"prompt": prompt, "image_url": image_url}}
    task_id = call("POST", "/api/v1/jobs/createTask", body)["taskId"]

    while True:
        record = call("GET", f"/api/v1/jobs/recordInfo?taskId={task_id}")
        print(record["state"], f"{record['progress']} %", flush=True)
        if record["state"] in ("success", "fail"):
            break
        time.sleep(1)
    if record["state"] == "fail":
        sys.exit(f"failed: {record['failMsg']}")
    urllib.request.urlretrieve(json.loads(record["resultJson"])["resultUrls"][0], out)
    print("saved", out)


if __name__ == "__main__":
    main(*sys.argv[1:4])
