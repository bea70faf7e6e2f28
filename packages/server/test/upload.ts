import type { TestApi } from './api.ts'

/** A file of a form. */
export type SentFile = { name?: string; type?: string; text: string | Buffer }

/** Builds a result file of axe-core: links without text on one page. */
export const buildAxeResults = (url: string, nodes: number) =>
  JSON.stringify({
    testEngine: { name: 'axe-core', version: '4.11.1' },
    url,
    timestamp: '2026-01-01T00:00:00.000Z',
    violations: [
      {
        id: 'link-name',
        impact: 'serious',
        tags: ['wcag2a', 'wcag244'],
        help: 'Links must have discernible text',
        description: 'd',
        helpUrl: 'https://example.org/link-name',
        nodes: Array.from({ length: nodes }, (_, node) => ({
          target: [`#up${node}`],
          html: '<a>',
          any: [],
          all: [],
          none: [],
        })),
      },
    ],
    incomplete: [],
    passes: [],
    inapplicable: [],
  })

/** Uploads files to a run as a browser's form does. */
export async function uploadTo(
  api: TestApi,
  target: { token: string; scan: string; run: number },
  files: readonly SentFile[],
): Promise<{ status: number; body: never }> {
  const edge = '----edge'
  const formParts = files.flatMap(({ name = 'results.json', type = 'application/json', text }) => [
    `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
    text,
    '\r\n',
  ])
  const reply = await api.app.inject({
    method: 'POST',
    url: `/monitor-api/scans/${target.scan}/runs/${target.run}/axeIssues`,
    headers: {
      authorization: `Bearer ${target.token}`,
      'content-type': `multipart/form-data; boundary=${edge}`,
    },
    payload: Buffer.concat([...formParts, `--${edge}--\r\n`].map((part) => Buffer.from(part))),
  })
  return { status: reply.statusCode, body: reply.json<never>() }
}
