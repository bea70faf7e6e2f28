import { createHash, randomBytes } from 'node:crypto'

/** A signed-in caller of the API, without a browser. */
export type Client = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Keeps cookies over redirects, as a browser does. */
function createCookieJar() {
  const cookies = new Map<string, string>()
  return async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const cookieLine of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookieLine)!
      cookies.set(name!, value!)
    }
    return reply
  }
}

/** Returns a client that calls the API with a token, or with the one that is valid at that moment. */
export function createCaller(base: string, token: string | (() => Promise<string>)): Client {
  return async <T>(method: string, path: string, body?: unknown) => {
    const bearer = typeof token === 'string' ? token : await token()
    const reply = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        'x-realm': 'clearway',
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const replyText = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${replyText}`)
    return (replyText ? JSON.parse(replyText) : undefined) as T
  }
}

/** Signs in by the authorization code flow with PKCE, form and all, and returns the access token. */
export async function fetchToken(url: string, username: string, password: string): Promise<string> {
  const request = createCookieJar()
  const protocol = `${url}/realms/clearway/protocol/openid-connect`
  const redirect = `${url}/monitor/sso/callback`
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: 'clearway-web',
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: randomBytes(8).toString('hex'),
  })
  const followRedirects = async (firstResponse: Response): Promise<Response> => {
    let reply = firstResponse
    while (reply.status >= 300 && reply.status < 400) {
      const location = new URL(reply.headers.get('location')!, url).href
      if (location.startsWith(redirect)) return reply
      reply = await request(location)
    }
    return reply
  }
  const form = await followRedirects(await request(`${protocol}/auth?${query}`))
  const action = /<form method="post" action="([^"]+)"/.exec(await form.text())![1]!.replaceAll('&amp;', '&')
  const finalResponse = await followRedirects(
    await request(new URL(action, url).href, { method: 'POST', body: new URLSearchParams({ username, password }) }),
  )
  const code = new URL(finalResponse.headers.get('location')!).searchParams.get('code')!
  const tokenResponse = await request(`${protocol}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'clearway-web',
      redirect_uri: redirect,
      code,
      code_verifier: verifier,
    }),
  })
  const { access_token: token } = (await tokenResponse.json()) as { access_token: string }
  return token
}

/** Shorter than a token's lifetime, which walks exceed on a busy machine. */
const renewMs = 240_000

/** Signs in and returns an API client that signs in again before the token expires. */
export async function signIn(url: string, username: string, password: string): Promise<Client> {
  const renewToken = () => ({ token: fetchToken(url, username, password), until: performance.now() + renewMs })
  let signedIn = renewToken()
  await signedIn.token
  return createCaller(`${url}/monitor-api`, () => {
    if (signedIn.until < performance.now()) signedIn = renewToken()
    return signedIn.token
  })
}
