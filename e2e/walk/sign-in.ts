import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect } from 'vitest'
import { tabTo } from '../screen/keyboard.ts'
import { checkEveryLook } from '../screen/looks.ts'
import type { Suite } from '../product/suite.ts'

const buildPage = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`
const door = buildPage(
  'Club door',
  '<form method="post" action="/door"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>In</button></form>',
)

/** A site that shows its pages to one member. */
async function openClub() {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const isMember = request.headers.cookie?.includes('club=yes')
      response.setHeader('content-type', 'text/html')
      if (body === 'u=robin&p=open+sesame') response.writeHead(302, { location: '/', 'set-cookie': 'club=yes; Path=/' }).end()
      else if (request.url === '/door' || request.method === 'POST') response.end(door)
      else if (isMember) response.end(buildPage('Club room', '<p>Welcome, robin</p><a href="/bye">Sign out</a>'))
      else response.writeHead(302, { location: '/door' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** Sets up a sign-in by a form: a wrong password, then the right one, with the pictures of both; and keeps the password. */
export async function signInByForm({ page, client, open, heading }: Suite): Promise<void> {
  const club = await openClub()
  const settings = { name: 'Club', urls: [`${club.url}/`] }
  const { id } = await client<{ id: string }>('POST', '/scans', settings)
  await open(`/scans/${id}/edit?step=session`)
  await heading('Edit scan: Session')
  await page.getByLabel('Kind of sign-in').selectOption('form')
  await page.getByLabel('URL of the sign-in page').fill(`${club.url}/door`)
  await page.getByLabel('User name').fill('robin')
  await page.getByLabel('Password', { exact: true }).fill('close sesame')
  await tabTo(page, 'Try the sign-in')
  await page.keyboard.press('Enter')
  await page.getByText('The site asks for the password again').waitFor()
  await page.getByRole('img', { name: 'Picture of the page: The last page of the sign-in' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('open sesame')
  await page.getByRole('button', { name: 'Try the sign-in' }).click()
  await page.getByText('Signed in as robin').waitFor()
  await page.getByText('Welcome, robin').waitFor()
  for (const name of ['Without the session', 'With the session'])
    expect(
      await page
        .getByRole('img', { name: `Picture of the page: ${name}` })
        .evaluate((picture: HTMLImageElement) => picture.naturalWidth),
    ).toBeGreaterThan(200)
  await page.getByLabel('The site also asks for a code of an authenticator app').check()
  await page.getByLabel('Secret of the codes').fill('1890')
  await page.getByRole('button', { name: 'Try the sign-in' }).click()
  await page.getByText(/^Enter the setup key/).waitFor()
  await checkEveryLook(page)
  await page.getByLabel('The site also asks for a code of an authenticator app').uncheck()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await heading('Club')
  const { settings: storedSettings } = await client<{ settings: { session: object } }>('GET', `/scans/${id}/settings`)
  expect(storedSettings.session).toMatchObject({
    connection: { authType: 'form', url: `${club.url}/door`, username: 'robin', password: null, hasCode: false },
  })
  club.close()
}
