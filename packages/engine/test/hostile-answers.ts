import { html } from './harness.ts'

// Invalid and odd responses that a site may send.

const oddBody = html('Odd', '<img src="data:,">')
export const buildResponse = (statusLine: string, headers = '', bodyText = oddBody): string =>
  `${statusLine}\r\ncontent-type: text/html\r\n${headers}content-length: ${Buffer.byteLength(bodyText)}\r\n\r\n${bodyText}`

/** Raw response for each path; `status`: status that a browser receives through the guard, or -1 if it is cut off. */
export const hostileResponses: Record<string, { sent: string; status: number }> = {
  '/000': { sent: buildResponse('HTTP/1.1 000 X'), status: 502 },
  '/099': { sent: buildResponse('HTTP/1.1 099 X'), status: 502 },
  '/100-only': { sent: 'HTTP/1.1 100 Continue\r\n\r\n', status: 502 },
  '/101': { sent: buildResponse('HTTP/1.1 101 Switching', 'upgrade: x\r\nconnection: upgrade\r\n'), status: 502 },
  '/999': { sent: buildResponse('HTTP/1.1 999 X'), status: 999 },
  '/1000': { sent: buildResponse('HTTP/1.1 1000 X'), status: 502 },
  '/no-status': { sent: buildResponse('HTTP/1.1'), status: 502 },
  '/minus': { sent: buildResponse('HTTP/1.1 -1 X'), status: 502 },
  '/304-body': { sent: buildResponse('HTTP/1.1 304 Not Modified'), status: 304 },
  '/204-body': { sent: buildResponse('HTTP/1.1 204 No Content'), status: 204 },
  '/early-hints': {
    sent: 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(2000) + buildResponse('HTTP/1.1 200 OK'),
    status: 502,
  },
  '/few-hints': {
    sent: 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(3) + buildResponse('HTTP/1.1 200 OK'),
    status: 200,
  },
  '/bad-value': { sent: buildResponse('HTTP/1.1 200 OK', 'x-odd: a\u0001b\r\n'), status: 200 },
  '/bad-name': { sent: buildResponse('HTTP/1.1 200 OK', 'x odd: a\r\n(x): b\r\n'), status: 502 },
  '/two-lengths': { sent: buildResponse('HTTP/1.1 200 OK', 'content-length: 3\r\n'), status: 502 },
  '/length-and-chunks': { sent: buildResponse('HTTP/1.1 200 OK', 'transfer-encoding: chunked\r\n'), status: -1 },
  '/bad-chunk': {
    sent: `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${oddBody}`,
    status: -1,
  },
  '/reason': { sent: buildResponse(`HTTP/1.1 200 ${'\u0080\u00ff'.repeat(50)}`), status: 200 },
  '/half': { sent: buildResponse('HTTP/1.1 200 OK').slice(0, 80), status: 200 },
  '/nothing': { sent: '', status: 502 },
  '/noise': { sent: '\u0000'.repeat(1000), status: 502 },
}
