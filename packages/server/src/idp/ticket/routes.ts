import { passwordLengthLimits } from '@clearway/contract/account/member/provider/schema.ts'
import { getNetwork } from '@clearway/contract/kit/address-rule.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runAsActor } from '../../kit/actor.ts'
import { QueueFullError } from '../../kit/bounded-queue.ts'
import type { AccountDeps } from '../account/service.ts'
import { renderEmailPage, renderForgotPage, renderNotePage, renderPasswordPage } from '../form.ts'
import { detectLanguage, keepLinkedLanguage } from '../language-choice.ts'
import { renderPage, buildPageHeaders } from '../page.ts'
import type { Words } from '../word/en.ts'
import { fillPlaceholders } from '../../kit/text.ts'
import { getWords } from '../word/word.ts'
import {
  confirmEmail,
  submitWelcomeForm,
  type EnteredValues,
  type EntryFault,
  type EntryFaults,
  sendForgottenPasswordLink,
  findEmailChange,
  type WelcomeDetails,
  findWelcome,
} from './service.ts'

type TicketDeps = AccountDeps & { realm: string; isHttps: boolean }

/** The cookie that signs in a person who has just set a password. */
export const passCookie = 'clearway_pass'

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const readQueryParameter = (request: FastifyRequest, parameterName: string): string =>
  toText((request.query as Record<string, unknown>)[parameterName])
const getFormFields = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()

const faultWordKeys = {
  required: 'required',
  'bad-email': 'badEmail',
  'email-taken': 'emailTaken',
  'too-short': 'tooShort',
  'too-long': 'tooLong',
  'common-password': 'common',
  'personal-password': 'personal',
} as const satisfies Record<EntryFault, string>

type PageReplies = ReturnType<typeof createPageReplies>

function createPageReplies({ product }: TicketDeps) {
  const sendPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    renderedForm: { title: string; body: string; script?: string },
    status = 200,
  ): FastifyReply => {
    const renderedPage = renderPage({ language: detectLanguage(request), ...renderedForm })
    return reply.code(status).headers(buildPageHeaders(renderedPage.policy)).send(renderedPage.html)
  }
  const sendNote = (
    request: FastifyRequest,
    reply: FastifyReply,
    [title, text]: readonly [keyof Words, keyof Words],
    status = 200,
  ): FastifyReply => {
    const pageLanguage = detectLanguage(request)
    const languageWords = getWords(pageLanguage)
    const noteContent = {
      title: languageWords[title],
      text: languageWords[text],
      link: languageWords.backToSignIn,
      href: '/monitor',
    }
    return sendPage(request, reply, renderNotePage({ language: pageLanguage, product, ...noteContent }), status)
  }
  return { send: sendPage, note: sendNote }
}

type WelcomeForm = {
  token: string
  welcome: WelcomeDetails
  values: Omit<EnteredValues, 'password'>
  errors: Partial<Record<keyof EnteredValues, string>>
}

/** The page of a password link. It is shown again until all fields are valid. */
function mountWelcomeRoutes(app: FastifyInstance, deps: TicketDeps, { send, note }: PageReplies): void {
  const welcomePath = `${deps.realm}/welcome`
  const expiredLinkNote = ['linkGone', 'linkGoneHint'] as const
  const renderForm = (request: FastifyRequest, { token, welcome, values, errors }: WelcomeForm) =>
    renderPasswordPage({
      language: detectLanguage(request),
      product: deps.product,
      action: welcomePath,
      kind: welcome.kind,
      token,
      name: welcome.person?.email ?? welcome.person?.username ?? '',
      values,
      errors,
      minLength: passwordLengthLimits.min,
    })
  app.get(welcomePath, async (request, reply) => {
    keepLinkedLanguage(request, reply)
    const ticketToken = readQueryParameter(request, 'token')
    const welcomeDetails = await findWelcome(deps, ticketToken)
    if (!welcomeDetails) return note(request, reply, expiredLinkNote, 410)
    const { firstName = '', lastName = '', email } = welcomeDetails.person ?? {}
    const fieldValues = { firstName, lastName, email: email ?? '' }
    return send(
      request,
      reply,
      renderForm(request, { token: ticketToken, welcome: welcomeDetails, values: fieldValues, errors: {} }),
    )
  })
  app.post(welcomePath, async (request, reply) => {
    const { token: ticketToken, entered: enteredValues } = readEnteredValues(getFormFields(request))
    const welcomeDetails = await findWelcome(deps, ticketToken)
    const requestOrigin = { address: request.ip, request: request.id }
    const submitResult =
      welcomeDetails && (await submitWelcomeForm(deps, { token: ticketToken, entered: enteredValues, from: requestOrigin }))
    if (!submitResult) return note(request, reply, expiredLinkNote, 410)
    if ('faults' in submitResult) {
      const fieldErrors = toErrorTexts(getWords(detectLanguage(request)), submitResult.faults)
      return send(
        request,
        reply,
        renderForm(request, { token: ticketToken, welcome: welcomeDetails, values: enteredValues, errors: fieldErrors }),
        400,
      )
    }
    const secureAttribute = deps.isHttps ? '; Secure' : ''
    const expiredAttributes = `Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secureAttribute}`
    return reply
      .header('set-cookie', [
        `${passCookie}=${submitResult.pass}; Path=${deps.realm}; HttpOnly; SameSite=Lax; Max-Age=60${secureAttribute}`,
        // Ends a session of another person in this browser.
        `clearway_sso=; ${expiredAttributes}`,
        `clearway_sso.sig=; ${expiredAttributes}`,
      ])
      .redirect('/monitor', 303)
  })
}

function readEnteredValues(formFields: URLSearchParams): { token: string; entered: EnteredValues } {
  const readField = (fieldName: string, maxLength: number) => (formFields.get(fieldName) ?? '').trim().slice(0, maxLength)
  const [firstName, lastName, email] = ['firstName', 'lastName', 'email'].map((name) => readField(name, 255))
  const password = formFields.get('password') ?? ''
  return { token: readField('token', 100), entered: { firstName: firstName!, lastName: lastName!, email: email!, password } }
}

function toErrorTexts(languageWords: Words, faults: EntryFaults): WelcomeForm['errors'] {
  const textValues = { min: String(passwordLengthLimits.min), max: String(passwordLengthLimits.max) }
  return Object.fromEntries(
    Object.entries(faults).map(([fieldName, entryFault]) => [
      fieldName,
      fillPlaceholders(languageWords[faultWordKeys[entryFault]], textValues),
    ]),
  )
}

function mountForgotRoutes(app: FastifyInstance, deps: TicketDeps, { send, note }: PageReplies): void {
  const forgotPath = `${deps.realm}/forgot`
  const renderForm = (request: FastifyRequest, error: string) => {
    const { product } = deps
    return renderForgotPage({ language: detectLanguage(request), product, action: forgotPath, error, back: '/monitor' })
  }
  app.get(forgotPath, (request, reply) =>
    deps.sendMail ? send(request, reply, renderForm(request, '')) : note(request, reply, ['forgotTitle', 'forgotNoMail']),
  )
  app.post(forgotPath, async (request, reply) => {
    const pageLanguage = detectLanguage(request)
    const username = (getFormFields(request).get('username') ?? '').trim().slice(0, 255)
    if (!username) return send(request, reply, renderForm(request, getWords(pageLanguage).required), 400)
    // The requester is not identified.
    const requestActor = { id: null, address: request.ip, request: request.id }
    const resetRequest = { username, network: getNetwork(request.ip), language: pageLanguage }
    await runAsActor(requestActor, () => sendForgottenPasswordLink(deps, resetRequest))
    return note(request, reply, ['sentTitle', 'sentHint'])
  })
}

/** The page of a link to a new address: shows the change, with a button to confirm it. */
function mountEmailRoutes(app: FastifyInstance, deps: TicketDeps, { send, note }: PageReplies): void {
  const emailPath = `${deps.realm}/email`
  const expiredLinkNote = ['linkGone', 'linkGoneHint'] as const
  app.get(emailPath, async (request, reply) => {
    const ticketToken = readQueryParameter(request, 'token')
    const emailChange = await findEmailChange(deps, ticketToken)
    if (!emailChange) return note(request, reply, expiredLinkNote, 410)
    const pageContext = { language: detectLanguage(request), product: deps.product, action: emailPath, token: ticketToken }
    return send(request, reply, renderEmailPage({ ...pageContext, ...emailChange }))
  })
  app.post(emailPath, async (request, reply) => {
    const ticketToken = getFormFields(request).get('token') ?? ''
    const confirmResult = await confirmEmail(deps, ticketToken, { address: request.ip, request: request.id })
    if (confirmResult === 'gone') return note(request, reply, expiredLinkNote, 410)
    if (confirmResult === 'taken') return note(request, reply, ['linkGone', 'emailTaken'], 409)
    return note(request, reply, ['emailDone', 'emailDoneHint'])
  })
}

export function mountTicketRoutes(app: FastifyInstance, deps: TicketDeps): void {
  const pageReplies = createPageReplies(deps)
  mountWelcomeRoutes(app, deps, pageReplies)
  mountForgotRoutes(app, deps, pageReplies)
  mountEmailRoutes(app, deps, pageReplies)
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof QueueFullError)) throw error
    return pageReplies.note(request, reply.header('retry-after', '5'), ['failed', 'serverBusy'], 503)
  })
}
