"""Posts many contents at a time with the package h2: h2_client.py PORT. Prints the answers, sorted."""

import socket
import sys

import h2.config
import h2.connection
import h2.events

sock = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
conn = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
conn.initiate_connection()
pending, answers, left = {}, {}, 20
for i in range(left):
    stream = conn.get_next_available_stream_id()
    conn.send_headers(
        stream,
        [(":method", "POST"), (":scheme", "http"), (":authority", "localhost"), (":path", f"/p{i}")],
    )
    pending[stream] = bytearray(b"z" * (i * 20000))
    answers[stream] = b""


def send(stream):
    content = pending[stream]
    while content:
        size = min(conn.local_flow_control_window(stream), conn.max_outbound_frame_size, len(content))
        if size <= 0:
            return
        conn.send_data(stream, bytes(content[:size]))
        del content[:size]
    conn.end_stream(stream)
    del pending[stream]


while left:
    for stream in list(pending):
        send(stream)
    sock.sendall(conn.data_to_send())
    data = sock.recv(65536)
    if not data:
        sys.exit("the server has closed")
    for event in conn.receive_data(data):
        if isinstance(event, h2.events.DataReceived):
            answers[event.stream_id] += event.data
            conn.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            left -= 1
        elif isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
            sys.exit(f"not expected: {event}")
for answer in sorted(answers.values()):
    print(answer.decode())
