"""One row of Http2ClientMatrixTest with the package h2: matrix_client.py PORT BEHAVIOUR. Prints "PATH LENGTH MD5" for each answer."""

import hashlib
import socket
import sys
import time

import h2.config
import h2.connection
import h2.errors
import h2.events

port, behaviour = int(sys.argv[1]), sys.argv[2]


class Client:
    def __init__(self):
        self.sock = socket.create_connection(("127.0.0.1", port))
        self.conn = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self.conn.initiate_connection()
        self.paths, self.answers, self.cancelled = {}, {}, set()
        self.unread, self.goaway = b"", False

    def request(self, path, method="GET"):
        stream = self.conn.get_next_available_stream_id()
        fields = [(":method", method), (":scheme", "http"), (":authority", "localhost"), (":path", path)]
        self.conn.send_headers(stream, fields, end_stream=method == "GET")
        self.paths[stream], self.answers[stream] = path, b""
        return stream

    def cancel(self, path):
        self.cancelled.add(self.request(path))

    def receive(self, size=65536):
        self.sock.sendall(self.conn.data_to_send())
        data = self.sock.recv(size)
        if not data:
            sys.exit("failed: the server has closed")
        self.unread += data
        while len(self.unread) >= 9:
            end = 9 + int.from_bytes(self.unread[:3], "big")
            if len(self.unread) < end:
                return
            frame, self.unread = self.unread[:end], self.unread[end:]
            for event in self.conn.receive_data(frame):
                self.take(event)

    def take(self, event):
        if isinstance(event, h2.events.DataReceived):
            self.answers[event.stream_id] += event.data
            if event.stream_id not in self.cancelled:
                self.conn.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            else:
                self.conn.increment_flow_control_window(event.flow_controlled_length)
                if event.stream_id in self.paths:
                    self.conn.reset_stream(event.stream_id, h2.errors.ErrorCodes.CANCEL)
                    del self.paths[event.stream_id]
        elif isinstance(event, h2.events.StreamEnded):
            answer = self.answers[event.stream_id]
            print(self.paths.pop(event.stream_id), len(answer), hashlib.md5(answer).hexdigest())
        elif isinstance(event, h2.events.ConnectionTerminated) and event.error_code == 0:
            self.goaway = True  # after it, h2 takes no frame, not even of streams that go on
            self.conn.state_machine.state = h2.connection.ConnectionState.CLIENT_OPEN
        elif isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
            sys.exit(f"failed: {event}")

    def finish(self):
        while self.paths:
            self.receive()


def slow(client):
    client.request("/big/1000000")
    for i in range(10):
        small = client.request("/small/" + "n" * i)
        while small in client.paths:
            client.receive(4096)
            time.sleep(0.001)
    while client.paths:
        client.receive(4096)
        time.sleep(0.001)


def cancel(client):
    for i in range(10):
        client.cancel("/big/20000000")
        client.request(f"/big/{200000 + i}")
    client.finish()
    client.request("/small/after")
    client.finish()


def small(client):
    stream = client.request("/echo", "POST")
    for i in range(2000):
        client.conn.send_data(stream, str(i).rjust(16, ".").encode())
        client.sock.sendall(client.conn.data_to_send())
        while len(client.answers[stream]) < 16 * (i - 100):
            client.receive()
    client.conn.end_stream(stream)
    client.finish()


def drain(client):
    for i in range(5):
        client.request(f"/held/5/{1000000 + i}")
    client.finish()
    if not client.goaway:
        sys.exit("failed: no GOAWAY")
    after = Client()
    after.request("/small/after")
    after.finish()


{"slow": slow, "cancel": cancel, "small": small, "drain": drain}[behaviour](Client())
