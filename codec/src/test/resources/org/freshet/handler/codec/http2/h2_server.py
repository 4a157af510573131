"""Sends back what it is sent, with the package h2. Prints its port first."""

import socket
import threading

import h2.config
import h2.connection
import h2.events


class Connection:
    def __init__(self, sock):
        self.sock = sock
        self.conn = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.pending = {}
        self.ended = set()

    def run(self):
        self.conn.initiate_connection()
        self.sock.sendall(self.conn.data_to_send())
        while data := self.sock.recv(65536):
            for event in self.conn.receive_data(data):
                self.handle(event)
            for stream in list(self.pending):
                self.send(stream)
            self.sock.sendall(self.conn.data_to_send())

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.conn.send_headers(event.stream_id, [(":status", "200")])
            self.pending[event.stream_id] = bytearray()
        elif isinstance(event, h2.events.DataReceived):
            self.pending[event.stream_id] += event.data
            self.conn.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            self.ended.add(event.stream_id)

    def send(self, stream):
        content = self.pending[stream]
        while content:
            size = min(self.conn.local_flow_control_window(stream), self.conn.max_outbound_frame_size, len(content))
            if size <= 0:
                return
            self.conn.send_data(stream, bytes(content[:size]))
            del content[:size]
        if stream in self.ended:
            self.conn.end_stream(stream)
            del self.pending[stream]


with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=Connection(server.accept()[0]).run, daemon=True).start()
