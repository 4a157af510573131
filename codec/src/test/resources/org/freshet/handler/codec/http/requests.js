// Reads requests as node's HTTP server does. Each line of input is the bytes of a connection, in hexadecimal; each line of
// output is what requests were seen, in order: their texts in hexadecimal, separated by blanks. A text is a line with method,
// target, length of the content, and whether that was whole, then a line for each header. The first lines of output are the
// version of the parser and the methods that node knows.
'use strict';
const http = require('http');
const { Duplex } = require('stream');
const readline = require('readline');

const server = http.createServer({ requireHostHeader: false });

function see(request) {
  const seen = { request, length: 0, whole: false };
  request.socket.seen.push(seen);
  request.on('data', (piece) => { seen.length += piece.length; });
  request.on('end', () => { seen.whole = true; });
  request.on('error', () => {});
}

// Nothing is answered: node goes on reading, and nothing that an answer could close is lost.
for (const event of ['request', 'checkContinue', 'checkExpectation', 'connect']) {
  server.on(event, see);
}
server.on('clientError', () => {});

function describe({ request, length, whole }) {
  const lines = [`${request.method} ${request.url} ${length} ${whole}`];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
  }
  return Buffer.from(lines.join('\n'), 'latin1').toString('hex');
}

const pause = () => new Promise(setImmediate);

async function seenIn(bytes) {
  const connection = new Duplex({ read() {}, write(data, encoding, done) { done(); } });
  connection.seen = [];
  connection.on('error', () => {});
  server.emit('connection', connection);
  connection.push(bytes);
  for (let i = 0; i < 4; i++) {
    await pause(); // the content of a request is handed on after its head
  }
  const described = connection.seen.map(describe).join(' ');
  connection.destroy();
  return described;
}

async function main() {
  console.log(process.versions.llhttp);
  console.log(http.METHODS.join(' '));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(await seenIn(Buffer.from(line, 'hex')));
  }
}

main();
