import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deviceCookies, type DeviceProof, findDeviceId, deviceLifetimeSeconds, createDeviceCookie } from '../device/model.ts'
import { checkSecondFactor, isTotpSecret, createTotpOffer, renderQrCode, setUpTotp } from '../factor/service.ts'
import { requestPasskeyOptions, parseJsonOrNull, verifyPasskey } from '../factor/passkey.ts'
import { type SecondFactors, readSecondFactors, hasSecondFactor } from '../factor/store.ts'
import { PasskeyProof } from '@clearway/contract/account/member/provider/schema.ts'
import { QueueFullError } from '../../kit/bounded-queue.ts'
import { sendProblem } from '../../kit/http/problem.ts'
import {
  renderRecoveryCodesPage,
  renderEnrollPage,
  renderNotePage,
  renderSecondFactorPage,
  type SignInState,
  renderSignInPage,
} from '../form.ts'
import { requiresSecondFactor, reportCodeGuessing } from '../account/service.ts'
import { hasAdmin } from '../account/store.ts'
import type { OwnDeps } from '../own/service.ts'
import { runAsActor } from '../../kit/actor.ts'
import { formatEpoch, unknownEpoch } from '../adapter.ts'
import { readCookie } from '../cookie.ts'
import { detectLanguage, keepLinkedLanguage } from '../language-choice.ts'
import { renderPage, buildPageHeaders } from '../page.ts'
import type { IdpOptions, createProvider } from '../provider.ts'
import { realmPath } from '../realm.ts'
import { type SignInResult, checkSignIn } from '../service.ts'
import { findPerson, type Person, type SealedDeps } from '../store.ts'
import { passCookie } from '../ticket/routes.ts'
import { issueTicket, readTicket, takeTicket } from '../ticket/store.ts'
import { buildTotpUri } from '../totp.ts'
import { getWords } from '../word/word.ts'

/** An attempt to sign in, with its result; `personId` is null if the person is unknown. */
export type SignInAttempt = { result: SignInResult['kind']; personId: string | null; address: string; requestId: string }
export type OnSignIn = (event: SignInAttempt) => Promise<void>
export type SignInDeps = SealedDeps & { options: IdpOptions; onSignIn: OnSignIn; accounts: OwnDeps }
type OidcProvider = ReturnType<typeof createProvider>

/** A person who has proved their identity, and the account state at that time. */
type ProvedPerson = Pick<Person, 'id' | 'epoch'>

type SignInRequest = { language: Language; form: URLSearchParams }

const getStatusCode = ({ kind }: SignInState): number => (kind === 'first' ? 200 : kind === 'too-many' ? 429 : 400)

function createFirstReplies(deps: SignInDeps, provider: OidcProvider) {
  const productName = deps.options.productName
  const passkeysEnabled = deps.accounts.party !== null
  const secureAttribute = deps.options.publicUrl.startsWith('https:') ? '; Secure' : ''
  const buildDeviceCookie = (proof: DeviceProof, cookieValue: string) =>
    `${deviceCookies[proof]}=${cookieValue}; Path=${realmPath}; HttpOnly; SameSite=Lax; Max-Age=${deviceLifetimeSeconds}${secureAttribute}`
  const sendPage = (
    reply: FastifyReply,
    language: Language,
    renderedForm: { title: string; body: string; script?: string; status: number },
  ): FastifyReply => {
    const renderedPage = renderPage({ language, ...renderedForm, formTargets: [deps.options.publicUrl] })
    return reply.code(renderedForm.status).headers(buildPageHeaders(renderedPage.policy)).send(renderedPage.html)
  }
  const sendSignInForm = async (request: FastifyRequest, reply: FastifyReply, language: Language, state: SignInState) => {
    const forgotUrl = deps.accounts.sendMail ? `${realmPath}/forgot?lang=${language}` : null
    const pageContext = { language, product: productName, action: getPath(request), isSetUp: await hasAdmin(deps) }
    const { host } = new URL(deps.options.publicUrl)
    const signInForm = renderSignInPage({ ...pageContext, state, host, forgotUrl, withPasskeys: passkeysEnabled })
    return sendPage(reply, language, { ...signInForm, status: getStatusCode(state) })
  }
  const finishSignIn = async (request: FastifyRequest, reply: FastifyReply, provedPerson: ProvedPerson, amr: string[]) => {
    const { id: accountId } = provedPerson
    await deps.onSignIn({ result: 'in', personId: accountId, address: request.ip, requestId: request.id })
    reply.hijack()
    const proofs: DeviceProof[] = amr.length > 1 ? ['password', 'second-factor'] : ['password']
    for (const proof of proofs)
      if (findDeviceId(deps, proof, accountId, readCookie(request, deviceCookies[proof])) === null)
        reply.raw.appendHeader('set-cookie', buildDeviceCookie(proof, createDeviceCookie(deps, proof, accountId)))
    const loginResult = { login: { accountId, amr, acr: formatEpoch(provedPerson) } }
    await provider.interactionFinished(request.raw, reply.raw, loginResult, { mergeWithLastSubmission: false })
    return reply
  }
  return { productName, passkeysEnabled, sendPage, sendSignInForm, finishSignIn }
}

function createReplies(deps: SignInDeps, provider: OidcProvider) {
  const { productName, passkeysEnabled, sendPage, sendSignInForm, finishSignIn } = createFirstReplies(deps, provider)
  const requestSecondFactor = (
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    { factors: secondFactors, status, ...step }: { factors: SecondFactors; token: string; error: string; status: number },
  ) => {
    const availableFactors = { withApp: secondFactors.totp !== null, withPasskeys: passkeysEnabled && secondFactors.passkeys > 0 }
    const secondFactorForm = renderSecondFactorPage({
      language,
      product: productName,
      action: getPath(request),
      ...step,
      ...availableFactors,
    })
    return sendPage(reply, language, { ...secondFactorForm, status })
  }
  /** After the password: finishes the sign-in, or requests or enrolls a second factor. */
  const continueAfterPassword = async (request: FastifyRequest, reply: FastifyReply, language: Language, person: Person) => {
    const secondFactors = await readSecondFactors(deps, person.id)
    if (hasSecondFactor(secondFactors)) {
      const { token: ticketToken } = await issueTicket(deps, 'second', person.id, person.epoch)
      return requestSecondFactor(request, reply, language, { factors: secondFactors, token: ticketToken, error: '', status: 200 })
    }
    if (!requiresSecondFactor(deps.accounts, person)) return finishSignIn(request, reply, person, ['pwd'])
    const { token: enrollToken } = await issueTicket(deps, 'enrol', person.id, person.epoch)
    const totpOffer = createTotpOffer(person.email ?? person.username, productName)
    const enrollForm = renderEnrollPage({
      language,
      product: productName,
      action: getPath(request),
      token: enrollToken,
      error: '',
      ...totpOffer,
    })
    return sendPage(reply, language, { ...enrollForm, status: 200 })
  }
  return {
    product: productName,
    send: sendPage,
    first: sendSignInForm,
    finish: finishSignIn,
    next: continueAfterPassword,
    askSecond: requestSecondFactor,
  }
}
type SignInReplies = ReturnType<typeof createReplies>

const getPath = (request: FastifyRequest): string => request.url.split('?')[0]!

/** A form whose step has expired starts again. */
const restartState = { kind: 'first' } as const

/** Handles the code of the second step. The step stays valid until the code is right or time has run out. */
async function handleSecondFactor(
  deps: SignInDeps,
  replies: SignInReplies,
  request: FastifyRequest,
  reply: FastifyReply,
  { language, form }: SignInRequest,
): Promise<FastifyReply> {
  const ticketToken = form.get('second') ?? ''
  const secondFactorTicket = await readTicket(deps, ['second'], ticketToken)
  if (!secondFactorTicket?.personId) return replies.first(request, reply, language, restartState)
  const { personId } = secondFactorTicket
  const deviceCookie = readCookie(request, deviceCookies['second-factor'])
  const deviceId = findDeviceId(deps, 'second-factor', personId, deviceCookie)
  const attemptResult = await checkSecondFactor(deps, personId, form.get('code') ?? '', deviceId)
  if (attemptResult === 'right' && (await takeTicket(deps, ['second'], ticketToken)))
    return replies.finish(request, reply, { id: personId, epoch: secondFactorTicket.epoch ?? unknownEpoch }, ['pwd', 'otp'])
  const isLimitReached = typeof attemptResult === 'object'
  const { address, requestId } = { address: request.ip, requestId: request.id }
  await deps.onSignIn({ result: isLimitReached ? 'too-many' : 'wrong', personId, address, requestId })
  if (isLimitReached && 'waitMinutes' in attemptResult) {
    const tooManyState = { kind: 'too-many', username: '', minutes: attemptResult.waitMinutes } as const
    return replies.first(request, reply, language, tooManyState)
  }
  if (isLimitReached && attemptResult.limit === 'reached')
    await runAsActor({ id: null, address, request: requestId }, () => reportCodeGuessing(deps.accounts, personId))
  const { wrongCode, tooManyCodes } = getWords(language)
  const errorMessage = isLimitReached ? tooManyCodes : wrongCode
  const secondFactors = await readSecondFactors(deps, personId)
  return replies.askSecond(request, reply, language, {
    factors: secondFactors,
    token: ticketToken,
    error: errorMessage,
    status: isLimitReached ? 429 : 400,
  })
}

/** Signs in the owner of a passkey, which counts as two factors: the device and its unlocking. */
async function handlePasskey(
  deps: SignInDeps,
  replies: SignInReplies,
  request: FastifyRequest,
  reply: FastifyReply,
  { language, form }: SignInRequest,
): Promise<FastifyReply> {
  const parsedProof = PasskeyProof.safeParse(parseJsonOrNull(form.get('passkey') ?? ''))
  const passkeyOwner = parsedProof.success ? await verifyPasskey(deps.accounts, parsedProof.data, null) : null
  if (passkeyOwner) return replies.finish(request, reply, passkeyOwner, ['pop', 'mfa'])
  const { ip: address, id: requestId } = request
  await deps.onSignIn({ result: 'wrong', personId: null, address, requestId })
  request.log.info({ reason: 'wrong passkey' }, 'sign-in refused')
  return replies.first(request, reply, language, { kind: 'passkey' })
}

/** Handles the first code of an authenticator app that must be set up, and shows the recovery codes. */
async function handleEnrollment(
  deps: SignInDeps,
  replies: SignInReplies,
  request: FastifyRequest,
  reply: FastifyReply,
  { language, form }: SignInRequest,
): Promise<FastifyReply> {
  const { product: productName } = replies
  const ticketToken = form.get('enrol') ?? ''
  const enrollTicket = await readTicket(deps, ['enrol'], ticketToken)
  const enrollingPerson = enrollTicket?.personId ? await findPerson(deps, enrollTicket.personId) : null
  // The earlier password check is no longer valid if all sessions have ended since.
  if (
    !enrollingPerson ||
    enrollTicket?.epoch !== enrollingPerson.epoch ||
    hasSecondFactor(await readSecondFactors(deps, enrollingPerson.id))
  )
    return replies.first(request, reply, language, restartState)
  const totpSecret = form.get('secret') ?? ''
  if (!isTotpSecret(totpSecret)) return replies.first(request, reply, language, restartState)
  const { epoch } = enrollingPerson
  const recoveryCodes = await setUpTotp(deps, enrollingPerson.id, { secret: totpSecret, code: form.get('code') ?? '', epoch })
  if (!recoveryCodes) {
    const otpauthUri = buildTotpUri(totpSecret, enrollingPerson.email ?? enrollingPerson.username, productName)
    const totpOffer = { secret: totpSecret, picture: renderQrCode(otpauthUri) }
    const errorMessage = getWords(language).wrongCode
    const enrollForm = renderEnrollPage({
      language,
      product: productName,
      action: getPath(request),
      token: ticketToken,
      error: errorMessage,
      ...totpOffer,
    })
    return replies.send(reply, language, { ...enrollForm, status: 400 })
  }
  await takeTicket(deps, ['enrol'], ticketToken)
  const accountEvent = { kind: 'second-factor-changed', id: enrollingPerson.id } as const
  const eventActor = { id: enrollingPerson.id, address: request.ip, request: request.id }
  await runAsActor(eventActor, () => deps.accounts.onAccount(accountEvent))
  const provedTicket = await issueTicket(deps, 'proved', enrollingPerson.id, epoch)
  const recoveryCodesForm = renderRecoveryCodesPage({
    language,
    product: productName,
    action: getPath(request),
    token: provedTicket.token,
    codes: recoveryCodes,
  })
  return replies.send(reply, language, { ...recoveryCodesForm, status: 200 })
}

/** Shows a page for an expired form and for a busy server; other errors are thrown. */
function handleSignInError(replies: SignInReplies, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isSessionMissing = (error as { name?: string }).name === 'SessionNotFound'
  const isBusy = error instanceof QueueFullError
  if (!isSessionMissing && !isBusy) throw error
  const pageLanguage = detectLanguage(request)
  const languageWords = getWords(pageLanguage)
  const { product: productName } = replies
  const noteContent = {
    title: isBusy ? languageWords.serverBusy : languageWords.expired,
    text: '',
    link: languageWords.startAgain,
    href: '/monitor',
  }
  if (isBusy) void reply.header('retry-after', '5')
  return replies.send(reply, pageLanguage, {
    ...renderNotePage({ language: pageLanguage, product: productName, ...noteContent }),
    status: isBusy ? 503 : 400,
  })
}

export function mountSignInRoutes(app: FastifyInstance, deps: SignInDeps, provider: OidcProvider): void {
  const signInPath = `${realmPath}/sign-in/:uid`
  const replies = createReplies(deps, provider)
  // Throws for an expired form; the error page links back to the start.
  const readLanguage = async (request: FastifyRequest, reply: FastifyReply): Promise<Language> => {
    const { params: interactionParams } = await provider.interactionDetails(request.raw, reply.raw)
    const requestedLanguage = typeof interactionParams.ui_locales === 'string' ? interactionParams.ui_locales : undefined
    return detectLanguage(request, requestedLanguage)
  }
  /** The user that a sign-in ticket belongs to; null if there is none. */
  const takePassOwner = async (kind: 'pass' | 'proved', token: string): Promise<Person | null> => {
    const passTicket = token ? await takeTicket(deps, [kind], token) : null
    const passOwner = passTicket?.personId ? await findPerson(deps, passTicket.personId) : null
    return passOwner && !passOwner.deactivatedAt ? { ...passOwner, epoch: passTicket!.epoch ?? unknownEpoch } : null
  }
  app.get(signInPath, async (request, reply) => {
    keepLinkedLanguage(request, reply)
    const pageLanguage = await readLanguage(request, reply)
    // A password that was just set need not be entered again.
    const passOwner = await takePassOwner('pass', readCookie(request, passCookie))
    return passOwner
      ? replies.next(request, reply, pageLanguage, passOwner)
      : replies.first(request, reply, pageLanguage, { kind: 'first' })
  })
  app.get(`${signInPath}/passkey`, { config: { isSignIn: true } }, async (request, reply) => {
    await provider.interactionDetails(request.raw, reply.raw)
    const { party: relyingParty } = deps.accounts
    if (!relyingParty) return sendProblem(reply, request.id, 'not-found')
    return reply.header('cache-control', 'no-store').send(await requestPasskeyOptions({ ...deps, party: relyingParty }, null))
  })
  app.post(signInPath, async (request, reply) => {
    const pageLanguage = await readLanguage(request, reply)
    const formFields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    if (formFields.has('passkey'))
      return handlePasskey(deps, replies, request, reply, { language: pageLanguage, form: formFields })
    if (formFields.has('second'))
      return handleSecondFactor(deps, replies, request, reply, { language: pageLanguage, form: formFields })
    if (formFields.has('enrol'))
      return handleEnrollment(deps, replies, request, reply, { language: pageLanguage, form: formFields })
    // Sent by the page of recovery codes: the second factor has just been proved.
    const provedPerson = await takePassOwner('proved', formFields.get('proved') ?? '')
    if (provedPerson) return replies.finish(request, reply, provedPerson, ['pwd', 'otp'])
    const signInResult = await checkSignIn(deps, {
      username: formFields.get('username')?.trim() ?? '',
      password: formFields.get('password') ?? '',
      address: request.ip,
      deviceCookie: readCookie(request, deviceCookies.password),
    })
    if (signInResult.kind === 'in') return replies.next(request, reply, pageLanguage, signInResult.person)
    const personId = 'id' in signInResult ? signInResult.id : null
    await deps.onSignIn({ result: signInResult.kind, personId, address: request.ip, requestId: request.id })
    request.log.info({ reason: signInResult.kind }, 'sign-in refused')
    return replies.first(request, reply, pageLanguage, signInResult)
  })
  app.setErrorHandler((error, request, reply) => handleSignInError(replies, error, request, reply))
}
