import type { TestApi } from './api.ts'

/** A file of a form. */
export type SentFile = { name?: string; type?: string; text: string }

/** A file of results of axe-core: links without a text on one page. */
export const axeResults = (url: string, nodes: number) =>
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

/** Sends files to a run as a browser's form does. */
export async function uploadTo(
  api: TestApi,
  to: { token: string; scan: string; run: number },
  files: readonly SentFile[],
): Promise<{ status: number; body: never }> {
  const edge = '----edge'
  const parts = files.map(
    ({ name = 'results.json', type = 'application/json', text }) =>
      `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`,
  )
  const reply = await api.app.inject({
    method: 'POST',
    url: `/monitor-api/scans/${to.scan}/runs/${to.run}/axeIssues`,
    headers: {
      authorization: `Bearer ${to.token}`,
      'content-type': `multipart/form-data; boundary=${edge}`,
    },
    payload: `${parts.join('')}--${edge}--\r\n`,
  })
  return { status: reply.statusCode, body: reply.json<never>() }
}
