"""Joins stomp-chat-server with stomp.py: python3 stomp_client.py PORT VERSION. Sends itself one message and prints it."""
import queue
import sys

import stomp

PATIENCE_SECONDS = 20
CONNECTIONS = {"1.0": stomp.Connection10, "1.1": stomp.Connection11, "1.2": stomp.Connection12}


class Listener(stomp.ConnectionListener):
    def __init__(self):
        self.heard = queue.Queue()

    def on_message(self, frame):
        self.heard.put(frame.headers["destination"] and frame.body)

    def on_receipt(self, frame):
        self.heard.put("receipt " + frame.headers["receipt-id"])

    def on_error(self, frame):
        self.heard.put("error " + frame.body)


port, version = int(sys.argv[1]), sys.argv[2]
options = {} if version == "1.0" else {"heartbeats": (2000, 2000)}
connection = CONNECTIONS[version]([("127.0.0.1", port)], **options)
listener = Listener()
connection.set_listener("", listener)
connection.connect(wait=True)
topic = "/topic/colons" if version == "1.0" else "/topic/a:b\\c\nd"
connection.subscribe(topic, id="1", headers={"receipt": "subscribed"})
assert listener.heard.get(timeout=PATIENCE_SECONDS) == "receipt subscribed"
connection.send(topic, "a:b\\c äß€")
print("heard: " + listener.heard.get(timeout=PATIENCE_SECONDS))
connection.disconnect()
