// One row of Http2ClientMatrixTest with node's client: matrix_client.js PORT BEHAVIOUR. Prints "PATH LENGTH MD5" for each answer.
const http2 = require('http2');
const crypto = require('crypto');
const { setTimeout: sleep } = require('timers/promises');

const [port, behaviour] = process.argv.slice(2);
const connect = () => http2.connect('http://127.0.0.1:' + port);
const fail = (error) => { console.log('failed: ' + error); process.exit(1); };
const client = connect().on('error', fail);

async function get(connection, path, pauseMillis = 0) {
  const stream = connection.request({ ':path': path });
  await report(path, stream, pauseMillis);
}

async function report(path, stream, pauseMillis = 0) {
  const digest = crypto.createHash('md5');
  let length = 0;
  for await (const piece of stream) {
    digest.update(piece);
    length += piece.length;
    if (pauseMillis) await sleep(pauseMillis);
  }
  console.log(path, length, digest.digest('hex'));
}

function cancel(path) {
  return new Promise((resolve) => {
    const stream = client.request({ ':path': path });
    stream.once('data', () => stream.close(http2.constants.NGHTTP2_CANCEL));
    stream.on('close', resolve);
  });
}

const behaviours = {
  async slow() {
    const big = get(client, '/big/1000000', 1);
    for (let i = 0; i < 10; i++) await get(client, '/small/' + 'n'.repeat(i));
    await big;
  },
  async cancel() {
    const all = [];
    for (let i = 0; i < 10; i++) {
      all.push(cancel('/big/20000000'));
      all.push(get(client, '/big/' + (200000 + i)));
    }
    await Promise.all(all);
    await get(client, '/small/after');
  },
  async small() {
    const stream = client.request({ ':path': '/echo', ':method': 'POST' });
    const answer = report('/echo', stream);
    for (let i = 0; i < 2000; i++) {
      if (!stream.write(String(i).padStart(16, '.'))) await new Promise((resolve) => stream.once('drain', resolve));
      if (i % 20 === 0) await sleep(0);
    }
    stream.end();
    await answer;
  },
  async drain() {
    const all = [];
    for (let i = 0; i < 5; i++) all.push(get(client, '/held/5/' + (1000000 + i)));
    await Promise.all(all);
    if (!client.closed) await new Promise((resolve) => client.on('close', resolve));
    const next = connect().on('error', fail);
    await get(next, '/small/after');
    next.close();
  },
};
behaviours[behaviour]().then(() => client.close(), fail);
