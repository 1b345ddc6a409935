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


def call(method, path, body=None, tries=5):
    """The data of the answer. Tries again when the service is busy or out of reach."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    if method == "POST":
        # One key for all tries: a task is created once, even if an answer is lost.
        headers["Idempotency-Key"] = uuid.uuid4().hex
    data = None if body is None else json.dumps(body).encode()
    for tried in range(1, tries + 1):
        request = urllib.request.Request(URL + path, data, headers, method=method)
        wait_s = 0.3 * 2**tried * random.uniform(0.5, 1)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            code, words = error.code, json.load(error).get("msg", "")
            worth = code in (429, 455) or (code >= 500 and code not in (501, 505))
            wait_s = float(error.headers.get("Retry-After") or wait_s)
        except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
            code, words, worth = 0, str(error), True
        if not worth or tried == tries or wait_s > 60:
            sys.exit(f"{method} {path} answered {code}: {words}")
        time.sleep(wait_s)


def main(image, prompt, out):
    with open(image, "rb") as file:
        # Up to 10 MB; larger files go as multipart/form-data.
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
