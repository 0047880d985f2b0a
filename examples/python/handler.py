"""A handler in Python: it verifies by standardwebhooks, and creates and reads an intent by the standard library."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.request import Request, urlopen

from standardwebhooks import Webhook, WebhookVerificationError

SECRETS = os.environ["HOLDFAST_WEBHOOK_SECRET"].split(" ")
ENVIRONMENT = os.environ.get("ENVIRONMENT", "live")
LOCK = Lock()
# Stands for your database: a unique key on the intent's id.
EVENTS, NEWEST, FULFILLED, REFUNDED = set(), {}, {}, {}


def api(method, path, body=None, headers=None):
    request = Request(os.environ["HOLDFAST_API_URL"] + path, method=method)
    request.add_header("Authorization", "Bearer " + os.environ["HOLDFAST_API_KEY"])
    for name, value in (headers or {}).items():
        request.add_header(name, value)
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(body).encode()
    with urlopen(request, timeout=40) as answer:
        return json.load(answer)


def create(reference, recipient, asset, amount):
    """The Idempotency-Key makes a repeat safe: for a day it gives the first intent, also once that has ended unpaid. Then
    the order needs another one."""
    terms = {"recipient": recipient, "asset": asset, "amount": amount, "protectionPeriod": "sevenDays"}
    key = reference
    while True:
        made = api("POST", "/payment-intents", {**terms, "merchantReference": reference}, {"Idempotency-Key": key})
        if read(made["id"])["status"] not in ("expired", "canceled"):
            return made
        key = f"{reference}/{made['id']}"


def read(intent_id):
    return api("GET", "/payment-intents/" + intent_id)


def verify(body, headers):
    for secret in SECRETS:
        try:
            return Webhook(secret).verify(body, headers)
        except WebhookVerificationError:
            continue
    return None


def should_fulfill(event, payment, newest):
    """When to ship: the event's payment is protected and whole, and no newer event of it says otherwise. Before goods that
    cannot be called back, read the intent and check the same again."""
    if event["type"] != "payment_intent.paid" or event["environment"] != ENVIRONMENT or payment.get("overLimit"):
        return False
    now = newest["data"]["object"].get("payment") or newest["data"]["object"]
    is_held = now["status"] in ("protected", "released") and now["disputedAt"] is None and now["refundTotal"] == "0"
    is_paid = payment["status"] == "protected" and payment["outcome"] is None and payment["refundTotal"] == "0"
    return is_paid and is_held and newest["type"] != "payment.reverted"


def handle(event):
    """Deals with an event once. Events may come twice, at once, and in any order."""
    with LOCK:
        if event["id"] in EVENTS:
            return
        EVENTS.add(event["id"])
        found = event["data"]["object"]
        # A dispute names its payment by id: its events ship nothing.
        payment = found if found["object"] == "payment" else found.get("payment") if found["object"] == "payment_intent" else None
        # The events of a duplicate carry the order's reference, too.
        if not payment or payment["role"] != "primary":
            return
        # The newest event of a payment says how it is now: a refund or a dispute may have come first.
        newest = max(event, NEWEST.get(payment["id"], event), key=lambda one: int(one["sequence"]))
        NEWEST[payment["id"]] = newest
        if should_fulfill(event, payment, newest):
            FULFILLED.setdefault(found["id"], found["merchantReference"])
        if event["type"] == "payment.refunded":
            REFUNDED.setdefault(found["intent"], found["merchantReference"])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def read_body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while (size := int(self.rfile.readline().split(b";")[0], 16)) > 0:
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def do_POST(self):
        event = verify(self.read_body(), {name.lower(): value for name, value in self.headers.items()})
        if event is not None:
            handle(event)
        self.answer(400 if event is None else 204)

    def do_GET(self):
        """For `holdfast conform --probe`, while you try the handler."""
        reference = self.path[1:]
        counts = [sum(one == reference for one in done.values()) for done in (FULFILLED, REFUNDED)]
        self.answer(200, json.dumps(dict(zip(("fulfilled", "refunded"), counts))).encode())

    def answer(self, status, body=b""):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128


if __name__ == "__main__":
    Server(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
