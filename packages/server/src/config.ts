import { availableParallelism } from 'node:os'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { maxRetentionDays, maxKeptRuns } from '@clearway/contract/monitor/setting/schema.ts'
import { languages } from '@clearway/contract/monitor/user/schema.ts'
import * as z from 'zod/mini'
import {
  describeInvalidValue,
  folderSchema,
  headersSetting,
  isNetwork,
  optionalUrlSetting,
  listSchema,
  optionalTextSetting,
  namedUrlSchema,
  choiceSetting,
  roleMapSetting,
  optionalSchema,
  sealKeySetting,
  secretSetting,
  type Setting,
  type renderSettingsTable,
  textSchema,
  booleanSetting,
  limitSetting,
  integerSetting,
  baseUrlSchema,
  textSetting,
} from './kit/setting.ts'
import { getFileVariable, readSettingFiles } from './kit/setting-file.ts'

const processRoles = ['api', 'worker', 'scheduler', 'account', 'idp'] as const

/** Groups of trusted proxies by address range; `none` trusts no proxy. */
const proxyKeywords = ['loopback', 'linklocal', 'uniquelocal', 'none'] as const

/** A number of proxies instead of their addresses. */
const isHopCount = (value: string): boolean => /^[1-9]$/.test(value)

const settingDefinitions = {
  CLEARWAY_PORT: integerSetting(4400, 0, 65_535, 'Port to listen on; 0 takes any free one.'),
  CLEARWAY_HOST: {
    type: textSchema,
    default: '127.0.0.1',
    accepts: 'an address of this machine, or a host name',
    meaning: 'Address to listen on. Other machines can reach anything except a loopback address.',
  },
  CLEARWAY_PUBLIC_URL: {
    type: optionalSchema(baseUrlSchema),
    default: '',
    accepts: 'an http or https URL without a path, or nothing',
    meaning: 'URL at which people reach this server, for example behind a proxy. If empty, host and port.',
  },
  CLEARWAY_TRUST_PROXY: {
    type: listSchema(
      z
        .string()
        .check(z.refine((value) => isNetwork(value) || proxyKeywords.some((word) => word === value) || isHopCount(value))),
    ).check(z.refine((values) => values.length === 1 || !values.some(isHopCount))),
    default: 'loopback',
    accepts: `IP addresses and CIDR blocks separated by commas, ${proxyKeywords.map((word) => `\`${word}\``).join(', ')}, or \`all\`; or the number of proxies in front of this server, 1 to 9, if nothing else reaches it`,
    meaning:
      'Proxies that are trusted to say where a request comes from (`X-Forwarded-For`). Sign-in attempts are counted by that address: name only the proxies in front of this server, not the networks of users.',
  },
  CLEARWAY_METRICS_PORT: integerSetting(
    0,
    0,
    65_534,
    'Port that serves metrics for Prometheus, at `/metrics`; 0 serves none. If server and worker run on this machine, ' +
      'the worker uses the next port.',
  ),
  CLEARWAY_METRICS_HOST: {
    type: textSchema,
    default: '127.0.0.1',
    accepts: 'an address of this machine, or a host name',
    meaning: 'Address of that port. Anybody who reaches it can read the metrics: there is no sign-in.',
  },
  CLEARWAY_DATA: {
    type: folderSchema,
    default: './data',
    accepts: 'a folder',
    meaning: 'Folder for the embedded database, the secret key and unpacked programs.',
  },
  CLEARWAY_WEB: booleanSetting(
    true,
    'Whether the role `api` also builds and serves the web application. Turn it off if another server does.',
  ),
  CLEARWAY_ROLES: {
    type: z.pipe(listSchema(z.enum(processRoles)), z.array(z.enum(processRoles)).check(z.minLength(1))),
    default: processRoles.join(','),
    accepts: `some of ${processRoles.join(', ')}, separated by commas`,
    meaning: 'What this process does: everything on a single machine, or a part on each of many machines.',
  },
  DATABASE_URL: {
    type: optionalSchema(z.string().check(z.regex(/^postgres(ql)?:\/\/.+/))),
    default: '',
    accepts: 'a postgres:// URL, or nothing',
    meaning:
      'PostgreSQL 15 or newer to use instead of the embedded one. Many machines share one. It may name several hosts, separated by commas: the one that accepts writes is used.',
    secret: true,
  },
  DATABASE_REPLICA_URL: {
    type: optionalSchema(z.string().check(z.regex(/^postgres(ql)?:\/\/[^,]+$/))),
    default: '',
    accepts: 'a postgres:// URL of one host, or nothing',
    meaning:
      'A hot standby of that database. Exports and reports are read there as soon as it has everything that the primary had at the time of the call, otherwise from the primary.',
    secret: true,
  },
  CLEARWAY_OBJECTS: choiceSetting(
    ['auto', 'folder', 's3', 'database'],
    'auto',
    'Where pictures and sources of pages are stored. `auto`: in S3 if CLEARWAY_S3_URL is set; otherwise in a folder if the database is embedded or CLEARWAY_OBJECTS_FOLDER is set; otherwise in the database. What was stored elsewhere before is still read from there.',
  ),
  CLEARWAY_OBJECTS_FOLDER: {
    type: optionalSchema(folderSchema),
    default: '',
    accepts: 'a folder, or nothing',
    meaning: 'That folder. If empty, `objects` in the data folder. Several machines need a shared one.',
  },
  CLEARWAY_S3_URL: optionalUrlSetting(
    'Bucket of any S3 provider, used by this Clearway only: `https://s3.example.org/bucket` or `https://bucket.s3.example.org`.',
  ),
  CLEARWAY_S3_REGION: textSetting('us-east-1', 'Region of that bucket.'),
  CLEARWAY_S3_KEY_ID: optionalTextSetting('Access key that may read, write, list and delete in that bucket.'),
  CLEARWAY_S3_SECRET: secretSetting(8, 'Secret of that access key.'),
  CLEARWAY_DATABASE_CONNECTIONS: integerSetting(10, 2, 200, 'Maximum number of database connections of each service.'),
  CLEARWAY_STATEMENT_SECONDS: integerSetting(
    120,
    0,
    3600,
    'Time limit for one database statement of a call. Longer ones are ended and answered with 503; 0 sets no limit. ' +
      'Runs and cleanup have no such limit.',
  ),
  CLEARWAY_DOWNLOADS: integerSetting(3, 1, 100, 'Maximum number of simultaneous downloads of one person, in each process.'),
  CLEARWAY_DOWNLOAD_IDLE_SECONDS: integerSetting(60, 1, 3600, 'A download without a reader for this long is ended.'),
  CLEARWAY_DOWNLOAD_SECONDS: integerSetting(
    900,
    60,
    86_400,
    'A download that takes longer is ended, even while it is read: it occupies a database connection. ' +
      'For each thousand rows, the database may take CLEARWAY_STATEMENT_SECONDS.',
  ),
  CLEARWAY_ADMIN_PASSWORD: secretSetting(
    // The former minimum: a password set long ago must not prevent a start. New passwords are validated when they are set.
    8,
    'Password of the user `admin` of the embedded identity provider, for machines that are set up unattended. Set at start only when `admin` has no password yet; the rules for new passwords apply. When empty, the first start prints a link, and whoever opens it becomes the first administrator.',
  ),
  CLEARWAY_ADMIN_SECOND_FACTOR: booleanSetting(
    false,
    'Whether administrators need two-factor sign-in at the embedded identity provider. Those without it set it up at their next sign-in.',
  ),
  CLEARWAY_BROWSER: {
    type: optionalSchema(textSchema),
    default: '',
    accepts: 'the path of a Chrome or Chromium program, the URL of a running one, `embedded`, or nothing',
    meaning:
      "Browser for scans: a program, or a browser that runs elsewhere (http://…, ws://…: Chrome's or Playwright's protocol). `embedded`: the one from npm. If empty, the first that starts: that of the system, of Playwright, or the embedded one.",
  },
  CLEARWAY_GUARD_HOST: {
    type: optionalSchema(textSchema),
    default: '',
    accepts: 'a host name or address, or nothing',
    meaning:
      'For a browser on another machine: the name by which it reaches this one. Its requests go through this process, on a separate port and with a password.',
  },
  CLEARWAY_SANDBOX: choiceSetting(
    ['auto', 'on', 'off'],
    'auto',
    "The browser's own sandbox. `auto`: on, except for root, for which Chromium has none. `on`: no browser starts as root.",
  ),
  CLEARWAY_ALLOW_PRIVATE: {
    type: listSchema(z.string().check(z.refine(isNetwork))),
    default: '',
    accepts: 'IP addresses and CIDR blocks separated by commas, `all`, or nothing',
    meaning:
      'Private, loopback and link-local addresses that scans may reach. By default none, because strangers write the pages.',
  },
  CLEARWAY_WORKER_PAGES: integerSetting(
    Math.min(8, Math.max(2, availableParallelism() * 2)),
    1,
    64,
    'Pages that one worker process analyzes at once. The default depends on the number of processors.',
  ),
  CLEARWAY_WORKER_RUNS: integerSetting(2, 1, 32, 'Runs that one worker process works on at once.'),
  CLEARWAY_WORKER_IDLE_SECONDS: integerSetting(
    240,
    1,
    86_400,
    'Time without work after which a worker that has worked is replaced, so that its memory is free; at most once in four times this time. For workers that were started with a server.',
  ),
  CLEARWAY_TOKEN_SECONDS: integerSetting(300, 60, 86_400, 'Lifetime of an access token of the embedded provider.'),
  CLEARWAY_SESSION_MINUTES: integerSetting(
    240,
    5,
    43_200,
    'Idle time after which people must sign in again at the embedded identity provider.',
  ),
  CLEARWAY_CONFIRM_MINUTES: integerSetting(
    30,
    0,
    10_080,
    'Minutes after a sign-in during which people can create or change API keys, public links, webhooks and secrets; after that they sign in again first. 0 never asks again. An external provider must put the claim auth_time into access tokens.',
  ),
  CLEARWAY_OIDC_ISSUER: {
    type: optionalSchema(baseUrlSchema),
    default: '',
    accepts: 'the issuer URL of an OpenID provider, `…/realms/NAME` for Keycloak, or nothing',
    meaning: 'An external identity provider instead of the embedded one.',
  },
  CLEARWAY_OIDC_JWKS_URL: optionalUrlSetting('URL of the keys of that provider, if its discovery document must not be used.'),
  CLEARWAY_OIDC_CLIENT: textSetting('clearway-web', 'Client id of the web application (public, with PKCE).'),
  CLEARWAY_OIDC_RESOURCE: textSetting('clearway', 'Resource client whose roles `access` and `admin` count.'),
  CLEARWAY_OIDC_AUDIENCE: textSetting('clearway-api', 'Audience that an access token must name.'),
  CLEARWAY_OIDC_ROLE_CLAIM: textSetting(
    'resource_access.{resource}.roles',
    'Path of the roles in an access token; `{resource}` stands for the resource client.',
  ),
  CLEARWAY_OIDC_ROLE_MAP: roleMapSetting(
    'Which values of that claim give which role: with `groups` as the claim, `/staff/a11y=access,/staff/it=admin`. If empty, the values are the roles.',
  ),
  CLEARWAY_OIDC_MANAGE_URL: optionalUrlSetting(
    'Where that provider manages people, for the link in Administration › People. If empty, its issuer.',
  ),
  CLEARWAY_OIDC_ALGORITHMS: {
    type: listSchema(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])),
    default: 'RS256,ES256,PS256',
    accepts: 'names of public-key signature algorithms separated by commas',
    meaning: 'Signatures accepted on access tokens.',
  },
  CLEARWAY_CA_FILE: {
    type: optionalSchema(folderSchema),
    default: '',
    accepts: 'the path of a PEM file, or nothing',
    meaning:
      'Certificates of your own authorities, trusted in addition to the public ones: by the browser of scans, and for the database, S3, the identity provider, mail, webhooks and traces.',
  },
  CLEARWAY_PROXY_URL: {
    type: optionalUrlSetting('').type,
    default: '',
    accepts: 'an http or https URL, with user and password if needed, or nothing',
    meaning:
      'Outbound HTTP proxy for scans, webhooks, S3, the identity provider and reports; not for the database and mail. What pages lead to is judged here first; private networks that scans may reach are reached without it.',
    secret: true,
  },
  CLEARWAY_PROXY_EXCEPT: {
    type: listSchema(textSchema),
    default: '',
    accepts: 'host names separated by commas, `*.example.org` for a domain; or nothing',
    meaning: 'Hosts that are reached without that proxy. Loopback addresses always are.',
  },
  CLEARWAY_PROXY_NAMES: booleanSetting(
    false,
    'Whether that proxy gets names instead of checked addresses: needed if this machine cannot resolve public names, or if the proxy filters by name. The proxy itself must then refuse your internal networks.',
  ),
  CLEARWAY_SCRIPT_EVAL: booleanSetting(false, 'Whether scripts of scans may run their own JavaScript (`eval`).'),
  CLEARWAY_ACCOUNT_URL: optionalUrlSetting('Base URL of an external account service. If empty, the embedded one.'),
  CLEARWAY_ACCOUNT_CLIENT: textSetting(
    'clearway-account',
    'Client id for the pages of the embedded account service (public, with PKCE).',
  ),
  CLEARWAY_SERVICE_CLIENT: textSetting(
    'clearway-service',
    'Client id for reading the teams of the account service (confidential, client credentials, with the role `service`).',
  ),
  CLEARWAY_SERVICE_SECRET: secretSetting(
    12,
    'Secret of that client, for an external provider. The embedded provider derives its own from the secret key. ' +
      'Without it, teams are read with the token of the person who gives them access.',
  ),
  CLEARWAY_TERMS_FILE: {
    type: optionalSchema(textSchema),
    default: '',
    accepts: 'the path of a text file, or nothing',
    meaning:
      'Terms of use that people agree to at their first sign-in: plain text, paragraphs separated by an empty line. When the text changes, everyone is asked again. If empty, a short built-in text.',
  },
  CLEARWAY_TERMS_REQUIRED: booleanSetting(true, 'Whether people are asked to agree to the terms of use.'),
  CLEARWAY_SECRET_KEY: sealKeySetting(
    'Key that encrypts passwords, keystores and secrets of scans. If empty, the first start creates one ' +
      'in `secret-key` in the data folder. Machines that share a database need the same key: a machine with a different one does not start.',
  ),
  CLEARWAY_SECRET_KEY_OLD: sealKeySetting(
    'The previous key: what it sealed can still be opened, and is sealed again with the new key within an hour. When ' +
      'CLEARWAY_SECRET_KEY is set, the key in the data folder automatically counts as the previous one.',
  ),
  CLEARWAY_BACKUP_PASSPHRASE: secretSetting(
    12,
    'With it, `clearway backup` puts the sealed secret key into the backup, and `clearway restore` takes it out. If empty, the backup does not contain the key: keep it in another place.',
  ),
  CLEARWAY_SMTP_URL: {
    type: optionalSchema(z.string().check(z.regex(/^smtps?:\/\/[^\s/]+/))),
    default: '',
    accepts: 'an smtp:// or smtps:// URL, with user and password if needed, or nothing',
    meaning:
      'Mail server for notifications. If empty, no mail is sent. With a password, an smtp:// server must offer STARTTLS; ?ignoreTLS=true sends the password unencrypted.',
    secret: true,
  },
  CLEARWAY_MAIL_FROM: {
    type: z.string().check(z.regex(/^[^\s@<>]+@[^\s@<>]+$/), z.maxLength(254)),
    default: 'clearway@localhost',
    accepts: 'a mail address',
    meaning: 'Sender of notifications.',
  },
  CLEARWAY_MAIL_LANGUAGE: choiceSetting(languages, 'en', 'Language of notifications to people whose language is unknown.'),
  CLEARWAY_PRODUCT_NAME: textSetting('Clearway', 'Product name on the screens.'),
  CLEARWAY_SUPPORT_URL: optionalUrlSetting('Support link of the account menu.'),
  CLEARWAY_HELP_URL: optionalUrlSetting('Start of the help links.'),
  CLEARWAY_PRODUCTS: {
    type: listSchema(namedUrlSchema),
    default: '',
    accepts: '`Name=https://URL` pairs separated by commas, or nothing',
    meaning: 'Other products in the product switcher of the header. If empty, there is no switcher.',
  },
  CLEARWAY_REPORTS_URL: optionalUrlSetting('URL of the reporting product. If empty, the screens do not mention it.'),
  CLEARWAY_REPORTS_INGEST_URL: optionalUrlSetting('URL that receives signed summaries of ended runs. If empty, none are sent.'),
  CLEARWAY_REPORTS_SECRET: secretSetting(16, 'Secret that signs these summaries (HMAC-SHA256). Without it, none are sent.'),
  CLEARWAY_EURO_URL: optionalUrlSetting("URL of the organization's European service, passed on to clients."),
  CLEARWAY_ANALYTICS_KEY: optionalTextSetting('Key of an analytics service. If empty, nothing is measured.'),
  CLEARWAY_FLAG_ISSUE_LABEL: booleanSetting(false, 'Feature flag `addIssueLabel`.'),
  CLEARWAY_FLAG_SYSTEM_STATUS: booleanSetting(false, 'Feature flag `showSystemStatus`.'),
  CLEARWAY_LIMIT_PAGES: limitSetting(defaultLimits.pageLimit, 'Highest page limit of a custom scan.'),
  CLEARWAY_LIMIT_START_URLS: limitSetting(defaultLimits.startUrls, 'Maximum number of start URLs of one scan.'),
  CLEARWAY_LIMIT_DEPTH: limitSetting(defaultLimits.depth, 'Maximum depth of links.'),
  CLEARWAY_LIMIT_UPLOAD_FILES: integerSetting(
    defaultLimits.uploadFiles,
    1,
    1000,
    'Maximum number of files in one upload of results.',
  ),
  CLEARWAY_LIMIT_UPLOAD_BYTES: integerSetting(
    defaultLimits.uploadBytes,
    1024,
    1_000_000_000,
    'Maximum size of an uploaded file, in bytes.',
  ),
  CLEARWAY_LIMIT_IMPORT_LENGTH: limitSetting(
    defaultLimits.importLength,
    'Maximum number of characters in a CSV file of team access.',
  ),
  CLEARWAY_LIMIT_IMPORT_ROWS: limitSetting(defaultLimits.importRows, 'Maximum number of rows in a CSV file of team access.'),
  CLEARWAY_KEEP_LINK_RUNS: integerSetting(
    3,
    1,
    10_000,
    'Number of newest runs of each scan for which links between pages are kept.',
  ),
  CLEARWAY_KEEP_CONTENT_DAYS: integerSetting(
    0,
    0,
    maxRetentionDays,
    'Days after which sources and pictures of the pages of a run are removed; 0 keeps them. The newest run keeps them.',
  ),
  CLEARWAY_ARCHIVE_DAYS: integerSetting(
    0,
    0,
    maxRetentionDays,
    'Days after which a run is archived: its counts and score stay, its pages and issues are removed. 0 archives none.',
  ),
  CLEARWAY_DELETE_DAYS: integerSetting(0, 0, maxRetentionDays, 'Days after which a run is deleted; 0 deletes none.'),
  CLEARWAY_KEEP_RUNS: integerSetting(
    10,
    1,
    maxKeptRuns,
    'Number of newest runs of each scan that are neither archived nor deleted, however old they are.',
  ),
  CLEARWAY_AUDIT_DAYS: integerSetting(0, 0, 36_500, 'Days after which an entry of the audit log is removed; 0 keeps all.'),
  CLEARWAY_PUBLIC_RATE: integerSetting(300, 1, 1_000_000, 'Calls per minute of one API key, in each process.'),
  CLEARWAY_RATE_PERSON: integerSetting(3000, 1, 1_000_000, 'Calls per minute of one person, in each process.'),
  CLEARWAY_RATE_NETWORK: integerSetting(
    12_000,
    1,
    1_000_000,
    'Calls per minute without a person (files of the screens, guests, refused tokens) from one IPv4 address or IPv6 /64 network.',
  ),
  CLEARWAY_RATE_SIGN_IN: integerSetting(
    300,
    1,
    1_000_000,
    'Calls per minute to the embedded identity provider from one IPv4 address or IPv6 /64 network.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrlSetting(
    'Where traces go, by OTLP over HTTP: an OpenTelemetry collector, `http://127.0.0.1:4318`. If empty, none are kept.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: headersSetting('Headers of these calls, for example a key.'),
  CLEARWAY_TRACE_PERCENT: integerSetting(100, 1, 100, 'Percentage of traces that are kept.'),
  CLEARWAY_LOG_LEVEL: choiceSetting(
    ['debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'Level of the log on standard error, in JSON lines.',
  ),
} as const satisfies Record<string, Setting>

/** Settings that are also read from files. */
const secretNames = Object.entries<Setting>(settingDefinitions).flatMap(([name, { secret }]) => (secret ? [name] : []))

type SettingValues = {
  readonly [K in keyof typeof settingDefinitions]: z.output<(typeof settingDefinitions)[K]['type']>
}
export type Config = SettingValues

/** The problem of an invalid setting, as one line for the operator. */
export type ConfigProblem = { readonly problem: string }

/**
 * Reads the settings from an environment; missing or empty ones have their default. `NAME_FILE` names a file with a secret.
 * @returns the settings, or the first problem. Unknown CLEARWAY_ names are invalid, because they are typing errors.
 */
export function readConfig(givenEnvironment: Readonly<Record<string, string | undefined>>): Config | ConfigProblem {
  const fileResult = readSettingFiles(givenEnvironment, secretNames)
  if ('problem' in fileResult) return fileResult
  const { environment } = fileResult
  const parsedValues: Record<string, unknown> = {}
  for (const [settingName, setting] of Object.entries<Setting>(settingDefinitions)) {
    const rawValue = environment[settingName]?.trim() || setting.default
    const parseResult = z.safeParse(setting.type, rawValue)
    if (!parseResult.success) return { problem: describeInvalidValue(settingName, setting, rawValue) }
    parsedValues[settingName] = parseResult.data
  }
  for (const variableName of Object.keys(environment))
    if (
      variableName.startsWith('CLEARWAY_') &&
      !(variableName in settingDefinitions) &&
      !variableName.startsWith('CLEARWAY_TEST_')
    )
      return {
        problem: `${variableName} is not a setting. The settings are listed in docs/generated/settings.md.`,
      }
  return parsedValues as Config
}

/** The URL of an item, which may be invalid, and the name before it; null for an item without a URL. */
function splitUrl(item: string): { name: string; url: URL | null } | null {
  const schemeEnd = item.indexOf('://')
  if (schemeEnd < 0) return null
  const urlStart = item.lastIndexOf('=', schemeEnd) + 1
  return { name: item.slice(0, urlStart), url: URL.parse(item.slice(urlStart).trim()) }
}

/** Cuts a URL to scheme and host: the rest may contain passwords and tokens. A name before it stays: `Name=https://…`. */
function cutUrl(item: string): string {
  const parts = splitUrl(item)
  if (!parts) return item
  return parts.name + (parts.url ? `${parts.url.protocol}//${parts.url.host}` : '…')
}
const cutUrls = (list: string): string => (URL.canParse(list) ? cutUrl(list) : list.split(',').map(cutUrl).join(','))

/** Keys that are no secrets by themselves, but open something together with one. */
const isPrivate = (settingName: string, setting: Setting): boolean => setting.secret === true || /_KEY(?:_|$)/.test(settingName)

/** The names and values of settings that the operator chose, secret values left out: for the log. */
export const listChosenSettings = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries<Setting>(settingDefinitions).flatMap(([settingName, setting]) => {
    if (setting.secret && environment[getFileVariable(settingName)]?.trim()) return [getFileVariable(settingName)]
    const chosenValue = environment[settingName]?.trim() ?? ''
    if (chosenValue === '' || chosenValue === setting.default) return []
    return [isPrivate(settingName, setting) ? settingName : `${settingName}=${cutUrls(chosenValue)}`]
  })

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parts of a URL that must not leave this machine: user and password as they are and decoded, values of the query. */
function listUrlSecrets(text: string): string[] {
  const userInfos = [...text.matchAll(/:\/\/([^/\s]+)@/g)].map(([, userInfo = '']) => userInfo)
  const passwords = userInfos.map((userInfo) => userInfo.slice(userInfo.indexOf(':') + 1))
  const urls = text.split(',').flatMap((item) => splitUrl(item)?.url ?? [])
  const queryValues = urls.flatMap((url) => [...url.searchParams.values()])
  return [...userInfos, ...passwords, ...passwords.map(decodeLeniently), ...queryValues]
}

/** Texts of the settings that must not leave this machine, wherever they are repeated. */
export function listSecretTexts(givenEnvironment: Readonly<Record<string, string | undefined>>): string[] {
  const fileResult = readSettingFiles(givenEnvironment, secretNames)
  const environment = 'problem' in fileResult ? givenEnvironment : fileResult.environment
  return Object.entries<Setting>(settingDefinitions).flatMap(([settingName, setting]) => {
    const value = environment[settingName]?.trim() ?? ''
    // The values of headers, with and without their scheme.
    const pairValues = value.split(',').map((pair) => decodeLeniently(pair.slice(pair.indexOf('=') + 1)))
    return [
      ...(isPrivate(settingName, setting)
        ? [value, ...pairValues, ...pairValues.map((pairValue) => pairValue.split(' ').at(-1)!)]
        : []),
      ...listUrlSecrets(value),
    ]
  })
}

/** Renders the settings as documentation, independently of the machine's number of processors. */
export const renderSettings = (renderTable: typeof renderSettingsTable): string =>
  renderTable(settingDefinitions, { CLEARWAY_WORKER_PAGES: 'twice the processors, 2 to 8' })

export const getRateLimits = (config: Config) => ({
  perNetwork: config.CLEARWAY_RATE_NETWORK,
  perPerson: config.CLEARWAY_RATE_PERSON,
  perNetworkSignIn: config.CLEARWAY_RATE_SIGN_IN,
})

export const getDownloadLimits = (config: Config) => ({
  perPerson: config.CLEARWAY_DOWNLOADS,
  idleSeconds: config.CLEARWAY_DOWNLOAD_IDLE_SECONDS,
  wholeSeconds: config.CLEARWAY_DOWNLOAD_SECONDS,
})
