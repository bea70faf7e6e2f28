import { createHash, randomBytes } from 'node:crypto'

/** A signed-in caller of the API, without a browser. */
export type Client = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Keeps cookies over redirects, as a browser does. */
function cookieJar() {
  const cookies = new Map<string, string>()
  return async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    return reply
  }
}

/** Calls the API with a token, or with the one that is valid at that moment. */
export function callerOf(base: string, token: string | (() => Promise<string>)): Client {
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
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }
}

/** Signs in by the authorization code flow with PKCE, form and all, and returns the access token. */
export async function tokenFor(url: string, username: string, password: string): Promise<string> {
  const go = cookieJar()
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
  const follow = async (first: Response): Promise<Response> => {
    let reply = first
    while (reply.status >= 300 && reply.status < 400) {
      const to = new URL(reply.headers.get('location')!, url).href
      if (to.startsWith(redirect)) return reply
      reply = await go(to)
    }
    return reply
  }
  const form = await follow(await go(`${protocol}/auth?${query}`))
  const action = /<form method="post" action="([^"]+)"/.exec(await form.text())![1]!.replaceAll('&amp;', '&')
  const back = await follow(
    await go(new URL(action, url).href, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
    }),
  )
  const code = new URL(back.headers.get('location')!).searchParams.get('code')!
  const answer = await go(`${protocol}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'clearway-web',
      redirect_uri: redirect,
      code,
      code_verifier: verifier,
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return token
}

/** Less than the life of a token, which a walk outlives on a busy machine. */
const renewMs = 240_000

/** Signs in and returns a caller of the API, who signs in again before the token ends. */
export async function signIn(url: string, username: string, password: string): Promise<Client> {
  const renew = () => ({ token: tokenFor(url, username, password), until: performance.now() + renewMs })
  let signedIn = renew()
  await signedIn.token
  return callerOf(`${url}/monitor-api`, () => {
    if (signedIn.until < performance.now()) signedIn = renew()
    return signedIn.token
  })
}
