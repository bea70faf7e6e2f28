import { passwordLengthLimits } from '@clearway/contract/account/member/provider/schema.ts'
import { getNetwork } from '@clearway/contract/kit/address-rule.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actingAs } from '../../kit/actor.ts'
import type { AccountDeps } from '../account/service.ts'
import { renderEmailPage, renderForgotPage, renderNotePage, renderPasswordPage } from '../form.ts'
import { page, pageHeaders } from '../page.ts'
import type { Words } from '../word/en.ts'
import { filled } from '../../kit/text.ts'
import { languageFor, wordsIn } from '../word/word.ts'
import {
  confirmEmail,
  enter,
  type Entered,
  type EntryFault,
  type Faults,
  forgot,
  newEmailOf,
  type Welcome,
  welcomeOf,
} from './service.ts'

type Deps = AccountDeps & { realm: string; isHttps: boolean }

/** The cookie that lets somebody in who has just set a password. */
export const passCookie = 'clearway_pass'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const queryOf = (request: FastifyRequest, name: string): string =>
  textOf((request.query as Record<string, unknown>)[name])
const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
const languageOf = (request: FastifyRequest) =>
  languageFor({ chosen: queryOf(request, 'lang'), header: request.headers['accept-language'] })

const faultWords = {
  required: 'required',
  'bad-email': 'badEmail',
  'email-taken': 'emailTaken',
  'too-short': 'tooShort',
  'too-long': 'tooLong',
  'common-password': 'common',
  'personal-password': 'personal',
} as const satisfies Record<EntryFault, string>

type Pages = ReturnType<typeof pagesOf>

/** What the routes below answer with. */
function pagesOf({ product }: Deps) {
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { title: string; body: string },
    status = 200,
  ): FastifyReply => {
    const made = page({ language: languageOf(request), ...shown })
    return reply.code(status).headers(pageHeaders(made.policy)).send(made.html)
  }
  /** A sentence and what it means, by their keys, and the way back to the sign-in. */
  const note = (
    request: FastifyRequest,
    reply: FastifyReply,
    [title, text]: readonly [keyof Words, keyof Words],
    status = 200,
  ): FastifyReply => {
    const language = languageOf(request)
    const words = wordsIn(language)
    const said = { title: words[title], text: words[text], link: words.backToSignIn, href: '/monitor' }
    return send(request, reply, renderNotePage({ language, product, ...said }), status)
  }
  return { send, note }
}

type Form = {
  token: string
  welcome: Welcome
  values: Omit<Entered, 'password'>
  errors: Partial<Record<keyof Entered, string>>
}

/** The page behind a link: shown, and sent back until all of it is right. */
function welcomeRoutes(app: FastifyInstance, deps: Deps, { send, note }: Pages): void {
  const path = `${deps.realm}/welcome`
  const gone = ['linkGone', 'linkGoneHint'] as const
  const shown = (request: FastifyRequest, { token, welcome, values, errors }: Form) =>
    renderPasswordPage({
      language: languageOf(request),
      product: deps.product,
      action: path,
      kind: welcome.kind,
      token,
      name: welcome.person?.email ?? welcome.person?.username ?? '',
      values,
      errors,
      minLength: passwordLengthLimits.min,
    })
  app.get(path, async (request, reply) => {
    const token = queryOf(request, 'token')
    const welcome = await welcomeOf(deps, token)
    if (!welcome) return note(request, reply, gone, 410)
    const { firstName = '', lastName = '', email } = welcome.person ?? {}
    const values = { firstName, lastName, email: email ?? '' }
    return send(request, reply, shown(request, { token, welcome, values, errors: {} }))
  })
  app.post(path, async (request, reply) => {
    const { token, entered } = enteredIn(formOf(request))
    const welcome = await welcomeOf(deps, token)
    const from = { address: request.ip, request: request.id }
    const done = welcome && (await enter(deps, { token, entered, from }))
    if (!done) return note(request, reply, gone, 410)
    if ('faults' in done) {
      const errors = errorsOf(wordsIn(languageOf(request)), done.faults)
      return send(request, reply, shown(request, { token, welcome, values: entered, errors }), 400)
    }
    const secure = deps.isHttps ? '; Secure' : ''
    const end = `Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`
    return reply
      .header('set-cookie', [
        `${passCookie}=${done.pass}; Path=${deps.realm}; HttpOnly; SameSite=Lax; Max-Age=60${secure}`,
        // Whoever is signed in here under another name is not who comes now.
        `clearway_sso=; ${end}`,
        `clearway_sso.sig=; ${end}`,
      ])
      .redirect('/monitor', 303)
  })
}

function enteredIn(form: URLSearchParams): { token: string; entered: Entered } {
  const read = (name: string, most: number) => (form.get(name) ?? '').trim().slice(0, most)
  const [firstName, lastName, email] = ['firstName', 'lastName', 'email'].map((name) => read(name, 255))
  const password = form.get('password') ?? ''
  return {
    token: read('token', 100),
    entered: { firstName: firstName!, lastName: lastName!, email: email!, password },
  }
}

function errorsOf(words: Words, faults: Faults): Form['errors'] {
  const values = { min: String(passwordLengthLimits.min), max: String(passwordLengthLimits.max) }
  return Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [name, filled(words[faultWords[fault]], values)]),
  )
}

/** The page on which people who forgot their password ask for a link. */
function forgotRoutes(app: FastifyInstance, deps: Deps, { send, note }: Pages): void {
  const path = `${deps.realm}/forgot`
  const shown = (request: FastifyRequest, error: string) => {
    const { product } = deps
    return renderForgotPage({ language: languageOf(request), product, action: path, error, back: '/monitor' })
  }
  app.get(path, (request, reply) =>
    deps.sendMail
      ? send(request, reply, shown(request, ''))
      : note(request, reply, ['forgotTitle', 'forgotNoMail']),
  )
  app.post(path, async (request, reply) => {
    const language = languageOf(request)
    const username = (formOf(request).get('username') ?? '').trim().slice(0, 255)
    if (!username) return send(request, reply, shown(request, wordsIn(language).required), 400)
    // It is not known who asks.
    const actor = { id: null, address: request.ip, request: request.id }
    const asked = { username, network: getNetwork(request.ip), language }
    await actingAs(actor, () => forgot(deps, asked))
    return note(request, reply, ['sentTitle', 'sentHint'])
  })
}

/** The page behind a link to a new address: what it changes, and the button that does. */
function emailRoutes(app: FastifyInstance, deps: Deps, { send, note }: Pages): void {
  const path = `${deps.realm}/email`
  const gone = ['linkGone', 'linkGoneHint'] as const
  app.get(path, async (request, reply) => {
    const token = queryOf(request, 'token')
    const asked = await newEmailOf(deps, token)
    if (!asked) return note(request, reply, gone, 410)
    const facts = { language: languageOf(request), product: deps.product, action: path, token }
    return send(request, reply, renderEmailPage({ ...facts, ...asked }))
  })
  app.post(path, async (request, reply) => {
    const token = formOf(request).get('token') ?? ''
    const became = await confirmEmail(deps, token, { address: request.ip, request: request.id })
    if (became === 'gone') return note(request, reply, gone, 410)
    if (became === 'taken') return note(request, reply, ['linkGone', 'emailTaken'], 409)
    return note(request, reply, ['emailDone', 'emailDoneHint'])
  })
}

/** The pages behind links, and the one on which people who forgot their password ask for a link. */
export function ticketRoutes(app: FastifyInstance, deps: Deps): void {
  const pages = pagesOf(deps)
  welcomeRoutes(app, deps, pages)
  forgotRoutes(app, deps, pages)
  emailRoutes(app, deps, pages)
}
