import { availableParallelism } from 'node:os'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { languages } from '@clearway/contract/monitor/user/schema.ts'
import * as z from 'zod/mini'
import {
  complaint,
  folder,
  headerPairs,
  isNetwork,
  link,
  listOf,
  maybeText,
  namedLink,
  oneOf,
  roleMap,
  optional,
  sealKey,
  secretText,
  type Setting,
  type tableOf,
  text,
  toggle,
  upTo,
  wholeNumber,
  withoutSlash,
  words,
} from './kit/setting.ts'

const roleNames = ['api', 'worker', 'scheduler', 'account', 'idp'] as const

/** Proxies by where they are; `none` trusts nobody. */
const proxyWords = ['loopback', 'linklocal', 'uniquelocal', 'none'] as const

const settings = {
  CLEARWAY_PORT: wholeNumber(4400, 0, 65_535, 'Port to listen on; 0 takes any free one.'),
  CLEARWAY_HOST: {
    type: text,
    default: '127.0.0.1',
    accepts: 'an address of this machine, or a host name',
    meaning: 'Address to listen on. Anything but a loopback address is reachable from other machines.',
  },
  CLEARWAY_PUBLIC_URL: {
    type: optional(withoutSlash),
    default: '',
    accepts: 'an http or https address without a path, or nothing',
    meaning:
      'Address under which people reach this server, behind a proxy for example. Left empty, host and port.',
  },
  CLEARWAY_TRUST_PROXY: {
    type: listOf(
      z.string().check(z.refine((value) => isNetwork(value) || proxyWords.some((word) => word === value))),
    ),
    default: 'loopback',
    accepts: `IP addresses and CIDR blocks separated by commas, ${proxyWords.map((word) => `\`${word}\``).join(', ')}, or \`all\``,
    meaning:
      'Proxies whose word is taken for where a request comes from (`X-Forwarded-For`). Sign-in tries are counted by that address: name what stands before this server, and nothing else.',
  },
  CLEARWAY_METRICS_PORT: wholeNumber(
    0,
    0,
    65_534,
    'Port on which figures for Prometheus are to be had, at `/metrics`; 0 gives none. Where this machine keeps server and worker, ' +
      'the worker has the port after it.',
  ),
  CLEARWAY_METRICS_HOST: {
    type: text,
    default: '127.0.0.1',
    accepts: 'an address of this machine, or a host name',
    meaning: 'Address of that port. Whoever reaches it reads the figures: there is no sign-in.',
  },
  CLEARWAY_DATA: {
    type: folder,
    default: './data',
    accepts: 'a folder',
    meaning: 'Folder of the embedded database, the secret key and what must be unpacked.',
  },
  CLEARWAY_WEB: toggle(
    true,
    'Whether the role `api` also builds and serves the web application. Off where another server does.',
  ),
  CLEARWAY_ROLES: {
    type: z.pipe(listOf(z.enum(roleNames)), z.array(z.enum(roleNames)).check(z.minLength(1))),
    default: roleNames.join(','),
    accepts: `some of ${roleNames.join(', ')}, separated by commas`,
    meaning: 'What this process does. All of it on one machine; a part of it on each of many.',
  },
  DATABASE_URL: {
    type: optional(z.string().check(z.regex(/^postgres(ql)?:\/\/.+/))),
    default: '',
    accepts: 'a postgres:// address, or nothing',
    meaning:
      'A PostgreSQL 15 or newer to use instead of the embedded one. Many machines share one. Of several hosts, separated by commas, the one that takes writes is used.',
    secret: true,
  },
  DATABASE_REPLICA_URL: {
    type: optional(z.string().check(z.regex(/^postgres(ql)?:\/\/[^,]+$/))),
    default: '',
    accepts: 'a postgres:// address of one host, or nothing',
    meaning:
      'A copy of that database (hot standby), from which exports and reports are read once it has all that the primary had when they were asked for; else the primary is read.',
    secret: true,
  },
  CLEARWAY_OBJECTS: oneOf(
    ['auto', 'folder', 's3', 'database'],
    'auto',
    'Where pictures and sources of pages are kept. `auto`: in S3 where CLEARWAY_S3_URL is set, else in a folder where the database is the embedded one or CLEARWAY_OBJECTS_FOLDER is set, else in the database. What was kept elsewhere before is still read there.',
  ),
  CLEARWAY_OBJECTS_FOLDER: {
    type: optional(folder),
    default: '',
    accepts: 'a folder, or nothing',
    meaning:
      'That folder; left empty, `objects` in the data folder. Where several machines work, a shared one.',
  },
  CLEARWAY_S3_URL: link(
    'A bucket of S3, whoever offers it, of this Clearway alone: `https://s3.example.org/bucket` or `https://bucket.s3.example.org`.',
  ),
  CLEARWAY_S3_REGION: words('us-east-1', 'Region of that bucket.'),
  CLEARWAY_S3_KEY_ID: maybeText('Access key that may read, write, list and delete in that bucket.'),
  CLEARWAY_S3_SECRET: secretText(8, 'Secret of that access key.'),
  CLEARWAY_DATABASE_CONNECTIONS: wholeNumber(10, 2, 200, 'Database connections of each service at most.'),
  CLEARWAY_STATEMENT_SECONDS: wholeNumber(
    120,
    0,
    3600,
    'Time that the database has for one statement of a call. Longer ones are ended and answered with 503; 0 ends none. ' +
      'Runs and clearing away have no such limit.',
  ),
  CLEARWAY_DOWNLOADS: wholeNumber(3, 1, 100, 'Downloads of one person at once, in each process.'),
  CLEARWAY_DOWNLOAD_IDLE_SECONDS: wholeNumber(
    60,
    1,
    3600,
    'A download that nobody reads for so long is ended.',
  ),
  CLEARWAY_DOWNLOAD_SECONDS: wholeNumber(
    900,
    60,
    86_400,
    'A download that takes longer is ended, also while somebody reads it: it keeps a connection of the database. ' +
      'How long the database may take for each thousand rows of it is CLEARWAY_STATEMENT_SECONDS.',
  ),
  CLEARWAY_ADMIN_PASSWORD: secretText(
    // What was enough once: one that was set long ago keeps no start from happening. A new one is judged where it is set.
    8,
    'Password of the user `admin` of the embedded identity provider, for machines that are set up unattended. Set at start only when `admin` has no password yet; the rules for new passwords apply. When empty, the first start prints a link, and whoever opens it becomes the first administrator.',
  ),
  CLEARWAY_ADMIN_SECOND_FACTOR: toggle(
    false,
    'Whether administrators need two-factor sign-in at the embedded identity provider. Who has none sets it up at the next sign-in.',
  ),
  CLEARWAY_BROWSER: {
    type: optional(text),
    default: '',
    accepts: 'the path of a Chrome or Chromium program, the URL of a running one, `embedded`, or nothing',
    meaning:
      "Browser for scans: a program, or a browser that runs elsewhere (http://…, ws://…: Chrome's or Playwright's protocol). `embedded`: the one from npm. Left empty, the first that starts: of the system, of Playwright, the embedded one.",
  },
  CLEARWAY_GUARD_HOST: {
    type: optional(text),
    default: '',
    accepts: 'a host name or address, or nothing',
    meaning:
      'For a browser of another machine: the name by which it reaches this one. Its requests pass this process, on a port of its own and with a password.',
  },
  CLEARWAY_SANDBOX: oneOf(
    ['auto', 'on', 'off'],
    'auto',
    "The browser's own sandbox. `auto`: on, except for root, for whom Chromium has none. `on`: no browser starts for root.",
  ),
  CLEARWAY_ALLOW_PRIVATE: {
    type: listOf(z.string().check(z.refine(isNetwork))),
    default: '',
    accepts: 'IP addresses and CIDR blocks separated by commas, `all`, or nothing',
    meaning:
      'Private, loopback and link-local addresses that scans may reach. By default none: pages are written by strangers.',
  },
  CLEARWAY_WORKER_PAGES: wholeNumber(
    Math.min(8, Math.max(2, availableParallelism() * 2)),
    1,
    64,
    'Pages that one worker process analyses at once. The default follows the number of processors.',
  ),
  CLEARWAY_WORKER_RUNS: wholeNumber(2, 1, 32, 'Runs that one worker process works on at once.'),
  CLEARWAY_TOKEN_SECONDS: wholeNumber(300, 60, 86_400, 'Life of an access token of the embedded provider.'),
  CLEARWAY_SESSION_MINUTES: wholeNumber(
    240,
    5,
    43_200,
    'Idle time after which people must sign in again at the embedded identity provider.',
  ),
  CLEARWAY_CONFIRM_MINUTES: wholeNumber(
    30,
    0,
    10_080,
    'Minutes after a sign-in in which API keys, public links, webhooks and secrets can be made or changed; then people sign in once more. 0 asks nobody again. An external provider has to put the claim auth_time into access tokens.',
  ),
  CLEARWAY_OIDC_ISSUER: {
    type: optional(withoutSlash),
    default: '',
    accepts: 'the issuer address of an OpenID provider, `…/realms/NAME` for Keycloak, or nothing',
    meaning: 'An external identity provider instead of the embedded one.',
  },
  CLEARWAY_OIDC_JWKS_URL: link(
    'Where the keys of that provider stand, if its discovery document must not be asked.',
  ),
  CLEARWAY_OIDC_CLIENT: words('clearway-web', 'Client id of the web application (public, with PKCE).'),
  CLEARWAY_OIDC_RESOURCE: words('clearway', 'Resource client whose roles `access` and `admin` count.'),
  CLEARWAY_OIDC_AUDIENCE: words('clearway-api', 'Audience that an access token must name.'),
  CLEARWAY_OIDC_ROLE_CLAIM: words(
    'resource_access.{resource}.roles',
    'Path of the roles in an access token; `{resource}` stands for the resource client.',
  ),
  CLEARWAY_OIDC_ROLE_MAP: roleMap(
    'What values of that claim give which role: with `groups` as the claim, `/staff/a11y=access,/staff/it=admin`. Left empty, they are the roles.',
  ),
  CLEARWAY_OIDC_MANAGE_URL: link(
    'Where that provider manages people, for the link of Administration › People; left empty, its issuer.',
  ),
  CLEARWAY_OIDC_ALGORITHMS: {
    type: listOf(
      z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']),
    ),
    default: 'RS256,ES256,PS256',
    accepts: 'names of public-key signature algorithms separated by commas',
    meaning: 'Signatures accepted on access tokens.',
  },
  CLEARWAY_SCRIPT_EVAL: toggle(false, 'Whether scripts of scans may run JavaScript of their own (`eval`).'),
  CLEARWAY_ACCOUNT_URL: link('Base address of an external account service; left empty, the embedded one.'),
  CLEARWAY_ACCOUNT_CLIENT: words(
    'clearway-account',
    'Client id of the pages of the embedded account service (public, with PKCE).',
  ),
  CLEARWAY_SERVICE_CLIENT: words(
    'clearway-service',
    'Client that the teams of the account service are read as (confidential, client credentials, with the role `service`).',
  ),
  CLEARWAY_SERVICE_SECRET: secretText(
    12,
    'Secret of that client, where the provider is another one. The embedded provider makes its own of the secret key. ' +
      'Without it, teams are read with the token of whoever gives them something.',
  ),
  CLEARWAY_TERMS_FILE: {
    type: optional(text),
    default: '',
    accepts: 'the path of a text file, or nothing',
    meaning:
      'Terms of use that people agree to at their first sign-in: plain text, paragraphs separated by an empty line. A changed text asks everybody again. Left empty, a short text of our own.',
  },
  CLEARWAY_TERMS_REQUIRED: toggle(true, 'Whether people are asked to agree to the terms of use.'),
  CLEARWAY_SECRET_KEY: sealKey(
    'Key with which passwords, keystores and secrets of scans are encrypted. Left empty, one is made at the first start ' +
      'and kept in `secret-key` in the data folder. Machines that share a database need the same one: one with another does not start.',
  ),
  CLEARWAY_SECRET_KEY_OLD: sealKey(
    'The key before that one: what it sealed is still opened, and within an hour sealed anew. The key of the data ' +
      'folder is taken for it by itself when CLEARWAY_SECRET_KEY is set.',
  ),
  CLEARWAY_BACKUP_PASSPHRASE: secretText(
    12,
    'With it `clearway backup` puts the secret key into the backup, sealed, and `clearway restore` takes it out. Left empty, the key stays out, and is to be kept in another place.',
  ),
  CLEARWAY_SMTP_URL: {
    type: optional(z.string().check(z.regex(/^smtps?:\/\/[^\s/]+/))),
    default: '',
    accepts: 'an smtp:// or smtps:// address with user and password in it where they are needed, or nothing',
    meaning: 'Mail server for notifications. Left empty, no mail is sent.',
    secret: true,
  },
  CLEARWAY_MAIL_FROM: {
    type: z.string().check(z.regex(/^[^\s@<>]+@[^\s@<>]+$/), z.maxLength(254)),
    default: 'clearway@localhost',
    accepts: 'a mail address',
    meaning: 'Sender of notifications.',
  },
  CLEARWAY_MAIL_LANGUAGE: oneOf(
    languages,
    'en',
    'Language of notifications to people whose own is not known.',
  ),
  CLEARWAY_PRODUCT_NAME: words('Clearway', 'Name that the screens show.'),
  CLEARWAY_SUPPORT_URL: link('Support link of the account menu.'),
  CLEARWAY_HELP_URL: link('Start of the help links.'),
  CLEARWAY_PRODUCTS: {
    type: listOf(namedLink),
    default: '',
    accepts: '`Name=https://address` pairs separated by commas, or nothing',
    meaning: 'Other products that the product switcher of the header leads to; left empty, there is none.',
  },
  CLEARWAY_REPORTS_URL: link('Reporting product; left empty, every trace of it is hidden.'),
  CLEARWAY_REPORTS_INGEST_URL: link(
    'Where summaries of ended runs are posted to, signed; left empty, nowhere.',
  ),
  CLEARWAY_REPORTS_SECRET: secretText(
    16,
    'Secret that signs these summaries (HMAC-SHA256). Without it none is sent.',
  ),
  CLEARWAY_EURO_URL: link("Address of the organisation's European service, handed to clients."),
  CLEARWAY_ANALYTICS_KEY: maybeText('Key of an analytics service. Left empty, nothing is measured.'),
  CLEARWAY_FLAG_ISSUE_LABEL: toggle(false, 'Feature flag `addIssueLabel`.'),
  CLEARWAY_FLAG_SYSTEM_STATUS: toggle(false, 'Feature flag `showSystemStatus`.'),
  CLEARWAY_LIMIT_PAGES: upTo(defaultLimits.pageLimit, 'Page limit that a custom scan may ask for at most.'),
  CLEARWAY_LIMIT_START_URLS: upTo(defaultLimits.startUrls, 'Start addresses of one scan at most.'),
  CLEARWAY_LIMIT_DEPTH: upTo(defaultLimits.depth, 'Levels of links at most.'),
  CLEARWAY_LIMIT_UPLOAD_FILES: wholeNumber(
    defaultLimits.uploadFiles,
    1,
    1000,
    'Files in one upload of results.',
  ),
  CLEARWAY_LIMIT_UPLOAD_BYTES: wholeNumber(
    defaultLimits.uploadBytes,
    1024,
    1_000_000_000,
    'Bytes of one uploaded file.',
  ),
  CLEARWAY_LIMIT_IMPORT_LENGTH: upTo(defaultLimits.importLength, 'Characters of a CSV file of team access.'),
  CLEARWAY_LIMIT_IMPORT_ROWS: upTo(defaultLimits.importRows, 'Rows of a CSV file of team access.'),
  CLEARWAY_KEEP_LINK_RUNS: wholeNumber(
    3,
    1,
    10_000,
    'Newest runs of each scan of which is kept which page links to which.',
  ),
  CLEARWAY_KEEP_CONTENT_DAYS: wholeNumber(
    0,
    0,
    36_500,
    'Days after which page contents and pictures of a run are cleared away; 0 keeps them. The newest run keeps its own.',
  ),
  CLEARWAY_ARCHIVE_DAYS: wholeNumber(
    0,
    0,
    36_500,
    'Days after which a run is archived: its counts and score stay, its pages and issues go. 0 archives none.',
  ),
  CLEARWAY_DELETE_DAYS: wholeNumber(0, 0, 36_500, 'Days after which a run is deleted; 0 deletes none.'),
  CLEARWAY_KEEP_RUNS: wholeNumber(
    10,
    1,
    10_000,
    'Newest runs of each scan that are neither archived nor deleted, however old they are.',
  ),
  CLEARWAY_AUDIT_DAYS: wholeNumber(
    0,
    0,
    36_500,
    'Days after which an entry of the record of who did what is forgotten; 0 keeps it.',
  ),
  CLEARWAY_PUBLIC_RATE: wholeNumber(
    300,
    1,
    1_000_000,
    'Calls a minute that one key of the public API may make in each process.',
  ),
  CLEARWAY_RATE_PERSON: wholeNumber(
    3000,
    1,
    1_000_000,
    'Calls a minute that one person may make in each process, whatever for.',
  ),
  CLEARWAY_RATE_NETWORK: wholeNumber(
    12_000,
    1,
    1_000_000,
    'Calls a minute without a person (files of the screens, guests, refused tokens) from one IPv4 address or IPv6 /64 network.',
  ),
  CLEARWAY_RATE_SIGN_IN: wholeNumber(
    300,
    1,
    1_000_000,
    'Calls a minute to the embedded identity provider from one IPv4 address or IPv6 /64 network.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: link(
    'Where traces go, by OTLP over HTTP: a collector of OpenTelemetry, `http://127.0.0.1:4318`. Left empty, none are kept.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: headerPairs('Headers of these calls, a key for example.'),
  CLEARWAY_TRACE_PERCENT: wholeNumber(100, 1, 100, 'How many of a hundred traces are kept.'),
  CLEARWAY_LOG_LEVEL: oneOf(
    ['debug', 'info', 'warn', 'error', 'silent'],
    'warn',
    'What is logged to standard error, as JSON lines.',
  ),
} as const satisfies Record<string, Setting>

type Settings = { readonly [K in keyof typeof settings]: z.output<(typeof settings)[K]['type']> }
/** Every setting with its value, typed. */
export type Config = Settings

/** A setting with a value that is not accepted. `message` is one line for a person. */
export type ConfigProblem = { readonly problem: string }

/**
 * Reads the settings from an environment; what is missing or empty has its default.
 * @returns the settings, or the first one that is wrong. An unknown CLEARWAY_ name is wrong too: it is a typing error.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config | ConfigProblem {
  const read: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const value = env[name]?.trim() || setting.default
    const result = z.safeParse(setting.type, value)
    if (!result.success) return { problem: complaint(name, setting, value) }
    read[name] = result.data
  }
  for (const name of Object.keys(env))
    if (name.startsWith('CLEARWAY_') && !(name in settings) && !name.startsWith('CLEARWAY_TEST_'))
      return { problem: `${name} is not a setting. The settings are listed in docs/generated/settings.md.` }
  return read as Config
}

/** The settings in a form for people. The number of processors must not change it. */
export const settingsAs = (form: typeof tableOf): string =>
  form(settings, { CLEARWAY_WORKER_PAGES: 'twice the processors, 2 to 8' })
