import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deviceCookie, findDeviceId, deviceLifetimeSeconds, createDeviceCookie } from '../device/model.ts'
import { checkSecondFactor, isTotpSecret, createTotpOffer, renderQrCode, setUpTotp } from '../factor/service.ts'
import { requestPasskeyOptions, parseJsonOrNull, verifyPasskey } from '../factor/passkey.ts'
import { type SecondFactors, readSecondFactors, hasSecondFactor } from '../factor/store.ts'
import { PasskeyProof } from '@clearway/contract/account/member/provider/schema.ts'
import { sendProblem } from '../../kit/http/problem.ts'
import { renderRecoveryCodesPage, renderEnrollPage, renderNotePage, renderSecondFactorPage, type SignInState, renderSignInPage } from '../form.ts'
import { requiresSecondFactor, reportCodeGuessing } from '../account/service.ts'
import { hasAdmin } from '../account/store.ts'
import type { OwnDeps } from '../own/service.ts'
import { actingAs } from '../../kit/actor.ts'
import { formatEpoch, unknownEpoch } from '../adapter.ts'
import { page, pageHeaders } from '../page.ts'
import { type IdpOptions, type openProvider, realmPath } from '../provider.ts'
import { type SignIn, signIn } from '../service.ts'
import { findPerson, type Person, type Sealed } from '../store.ts'
import { passCookie } from '../ticket/routes.ts'
import { issueTicket, readTicket, takeTicket } from '../ticket/store.ts'
import { totpUri } from '../totp.ts'
import { languageFor, wordsIn } from '../word/word.ts'

/** A try to sign in: whose it was, where that is known, and what came of it. */
export type SignInTry = {
  result: SignIn['kind']
  personId: string | null
  address: string
  requestId: string
}
export type OnSignIn = (event: SignInTry) => Promise<void>
export type SignInDeps = Sealed & { options: IdpOptions; onSignIn: OnSignIn; accounts: OwnDeps }
type Provider = ReturnType<typeof openProvider>

/** The value of one cookie of a request. */
function cookieOf(request: FastifyRequest, name: string): string {
  const found = (request.headers.cookie ?? '').split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? ''
}

/** A person who has shown what they must, and the state of their account then. */
type Proved = Pick<Person, 'id' | 'epoch'>

type Facts = { language: Language; form: URLSearchParams }

const statusOf = ({ kind }: SignInState): number => (kind === 'first' ? 200 : kind === 'too-many' ? 429 : 400)

/** What a form of the sign-in answers: a page, or the way back into the application. */
function answersOf(deps: SignInDeps, provider: Provider) {
  const product = deps.options.productName
  const withPasskeys = deps.accounts.party !== null
  const secure = deps.options.publicUrl.startsWith('https:') ? '; Secure' : ''
  const deviceLine = (value: string) =>
    `${deviceCookie}=${value}; Path=${realmPath}; HttpOnly; SameSite=Lax; Max-Age=${deviceLifetimeSeconds}${secure}`
  const send = (
    reply: FastifyReply,
    language: Language,
    shown: { title: string; body: string; script?: string; status: number },
  ): FastifyReply => {
    const made = page({ language, ...shown, formTargets: [deps.options.publicUrl] })
    return reply.code(shown.status).headers(pageHeaders(made.policy)).send(made.html)
  }
  const first = async (
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    state: SignInState,
  ) => {
    const forgotUrl = `${realmPath}/forgot?lang=${language}`
    const facts = { language, product, action: pathOf(request), isSetUp: await hasAdmin(deps) }
    const shown = renderSignInPage({ ...facts, state, forgotUrl, withPasskeys })
    return send(reply, language, { ...shown, status: statusOf(state) })
  }
  const finish = async (request: FastifyRequest, reply: FastifyReply, who: Proved, amr: string[]) => {
    const { id: accountId } = who
    await deps.onSignIn({ result: 'in', personId: accountId, address: request.ip, requestId: request.id })
    reply.hijack()
    const cookie = cookieOf(request, deviceCookie)
    if (amr.length > 1 && findDeviceId(deps, accountId, cookie) === null)
      reply.raw.appendHeader('set-cookie', deviceLine(createDeviceCookie(deps, accountId)))
    const login = { login: { accountId, amr, acr: formatEpoch(who) } }
    await provider.interactionFinished(request.raw, reply.raw, login, { mergeWithLastSubmission: false })
    return reply
  }
  /** Asks for a code, or for whatever else this person can show. */
  const askSecond = (
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    { factors, status, ...step }: { factors: SecondFactors; token: string; error: string; status: number },
  ) => {
    const has = { withApp: factors.totp !== null, withPasskeys: withPasskeys && factors.passkeys > 0 }
    const shown = renderSecondFactorPage({ language, product, action: pathOf(request), ...step, ...has })
    return send(reply, language, { ...shown, status })
  }
  /** After the password: in, or what else is asked for. */
  const next = async (request: FastifyRequest, reply: FastifyReply, language: Language, person: Person) => {
    const factors = await readSecondFactors(deps, person.id)
    if (hasSecondFactor(factors)) {
      const { token } = await issueTicket(deps, 'second', person.id, person.epoch)
      return askSecond(request, reply, language, { factors, token, error: '', status: 200 })
    }
    if (!requiresSecondFactor(deps.accounts, person)) return finish(request, reply, person, ['pwd'])
    const { token } = await issueTicket(deps, 'enrol', person.id, person.epoch)
    const offer = createTotpOffer(person.email ?? person.username, product)
    const shown = renderEnrollPage({ language, product, action: pathOf(request), token, error: '', ...offer })
    return send(reply, language, { ...shown, status: 200 })
  }
  return { product, send, first, finish, next, askSecond }
}
type Answers = ReturnType<typeof answersOf>

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0]!

/** A form whose step has run out begins anew. */
const again = { kind: 'first' } as const

/** Takes the code of the second step. The step stays good until the code is right, or its time is over. */
async function second(
  deps: SignInDeps,
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  { language, form }: Facts,
): Promise<FastifyReply> {
  const token = form.get('second') ?? ''
  const ticket = await readTicket(deps, ['second'], token)
  if (!ticket?.personId) return answers.first(request, reply, language, again)
  const { personId } = ticket
  const device = findDeviceId(deps, personId, cookieOf(request, deviceCookie))
  const tried = await checkSecondFactor(deps, personId, form.get('code') ?? '', device)
  if (tried === 'right' && (await takeTicket(deps, ['second'], token)))
    return answers.finish(request, reply, { id: personId, epoch: ticket.epoch ?? unknownEpoch }, ['pwd', 'otp'])
  const isOver = typeof tried === 'object'
  const { address, requestId } = { address: request.ip, requestId: request.id }
  await deps.onSignIn({ result: isOver ? 'too-many' : 'wrong', personId, address, requestId })
  if (isOver && 'waitMinutes' in tried) {
    const state = { kind: 'too-many', username: '', minutes: tried.waitMinutes } as const
    return answers.first(request, reply, language, state)
  }
  if (isOver && tried.limit === 'reached')
    await actingAs({ id: null, address, request: requestId }, () => reportCodeGuessing(deps.accounts, personId))
  const { wrongCode, tooManyCodes } = wordsIn(language)
  const error = isOver ? tooManyCodes : wrongCode
  const factors = await readSecondFactors(deps, personId)
  return answers.askSecond(request, reply, language, { factors, token, error, status: isOver ? 429 : 400 })
}

/** Lets in whoever shows a passkey: it is two factors by itself, the device and what opens it. */
async function byPasskey(
  deps: SignInDeps,
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  { language, form }: Facts,
): Promise<FastifyReply> {
  const proof = PasskeyProof.safeParse(parseJsonOrNull(form.get('passkey') ?? ''))
  const person = proof.success ? await verifyPasskey(deps.accounts, proof.data, null) : null
  if (person) return answers.finish(request, reply, person, ['pop', 'mfa'])
  const { ip: address, id: requestId } = request
  await deps.onSignIn({ result: 'wrong', personId: null, address, requestId })
  request.log.info({ reason: 'wrong passkey' }, 'sign-in refused')
  return answers.first(request, reply, language, { kind: 'passkey' })
}

/** Takes the first code of an authenticator app that has to be set up, and shows the recovery codes. */
async function enrol(
  deps: SignInDeps,
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  { language, form }: Facts,
): Promise<FastifyReply> {
  const { product } = answers
  const token = form.get('enrol') ?? ''
  const ticket = await readTicket(deps, ['enrol'], token)
  const person = ticket?.personId ? await findPerson(deps, ticket.personId) : null
  // The password that led here was right once: no longer, when all sessions were ended since.
  if (!person || ticket?.epoch !== person.epoch || hasSecondFactor(await readSecondFactors(deps, person.id)))
    return answers.first(request, reply, language, again)
  const secret = form.get('secret') ?? ''
  if (!isTotpSecret(secret)) return answers.first(request, reply, language, again)
  const { epoch } = person
  const codes = await setUpTotp(deps, person.id, { secret, code: form.get('code') ?? '', epoch })
  if (!codes) {
    const uri = totpUri(secret, person.email ?? person.username, product)
    const offer = { secret, picture: renderQrCode(uri) }
    const error = wordsIn(language).wrongCode
    const shown = renderEnrollPage({ language, product, action: pathOf(request), token, error, ...offer })
    return answers.send(reply, language, { ...shown, status: 400 })
  }
  await takeTicket(deps, ['enrol'], token)
  const changed = { kind: 'second-factor-changed', id: person.id } as const
  const actor = { id: person.id, address: request.ip, request: request.id }
  await actingAs(actor, () => deps.accounts.onAccount(changed))
  const pass = await issueTicket(deps, 'proved', person.id, epoch)
  const shown = renderRecoveryCodesPage({ language, product, action: pathOf(request), token: pass.token, codes })
  return answers.send(reply, language, { ...shown, status: 200 })
}

/** The sign-in form, and what it leads to. */
export function signInRoutes(app: FastifyInstance, deps: SignInDeps, provider: Provider): void {
  const path = `${realmPath}/sign-in/:uid`
  const answers = answersOf(deps, provider)
  // Throws for a form that has expired; the error page leads back to the start.
  const languageOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Language> => {
    const { params } = await provider.interactionDetails(request.raw, reply.raw)
    const chosen = typeof params.ui_locales === 'string' ? params.ui_locales : undefined
    return languageFor({ chosen, header: request.headers['accept-language'] })
  }
  /** Whom a pass lets in. */
  const passed = async (kind: 'pass' | 'proved', token: string): Promise<Person | null> => {
    const ticket = token ? await takeTicket(deps, [kind], token) : null
    const person = ticket?.personId ? await findPerson(deps, ticket.personId) : null
    return person && !person.deactivatedAt ? { ...person, epoch: ticket!.epoch ?? unknownEpoch } : null
  }
  app.get(path, async (request, reply) => {
    const language = await languageOf(request, reply)
    // A password that was just set need not be typed again.
    const person = await passed('pass', cookieOf(request, passCookie))
    return person
      ? answers.next(request, reply, language, person)
      : answers.first(request, reply, language, { kind: 'first' })
  })
  app.get(`${path}/passkey`, { config: { isSignIn: true } }, async (request, reply) => {
    await provider.interactionDetails(request.raw, reply.raw)
    const { party } = deps.accounts
    if (!party) return sendProblem(reply, request.id, 'not-found')
    return reply.header('cache-control', 'no-store').send(await requestPasskeyOptions({ ...deps, party }, null))
  })
  app.post(path, async (request, reply) => {
    const language = await languageOf(request, reply)
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    if (form.has('passkey')) return byPasskey(deps, answers, request, reply, { language, form })
    if (form.has('second')) return second(deps, answers, request, reply, { language, form })
    if (form.has('enrol')) return enrol(deps, answers, request, reply, { language, form })
    // Behind the recovery codes: the second factor has just been proved.
    const ready = await passed('proved', form.get('proved') ?? '')
    if (ready) return answers.finish(request, reply, ready, ['pwd', 'otp'])
    const result = await signIn(deps, {
      username: form.get('username')?.trim() ?? '',
      password: form.get('password') ?? '',
      address: request.ip,
    })
    if (result.kind === 'in') return answers.next(request, reply, language, result.person)
    const personId = 'id' in result ? result.id : null
    await deps.onSignIn({ result: result.kind, personId, address: request.ip, requestId: request.id })
    request.log.info({ reason: result.kind }, 'sign-in refused')
    return answers.first(request, reply, language, result)
  })
  app.setErrorHandler((error, request, reply) => {
    const gone = (error as { name?: string }).name === 'SessionNotFound'
    if (!gone) throw error
    const language = languageFor({ header: request.headers['accept-language'] })
    const words = wordsIn(language)
    const { product } = answers
    const note = { title: words.expired, text: '', link: words.startAgain, href: '/monitor' }
    return answers.send(reply, language, {
      ...renderNotePage({ language, product, ...note }),
      status: 400,
    })
  })
}
