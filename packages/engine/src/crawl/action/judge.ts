import { isFormToken, isLooseToken } from './token.ts'
import * as signOut from './sign-out-words.ts'
import { isActingLabel } from './label.ts'
import { fileEndings, hasFolder, isId, isIn, maxParts, programEndings, readPart, readParts, type Part } from './part.ts'
import { buildPhraseTest, isCollectionPhrase, isFirmPhrase, isManaged, isSignOutPhrase } from './phrase.ts'
import { isSourceFile } from './source-file.ts'
import { decodeText, foldText } from './text.ts'
import * as words from './words.ts'

/** Reason why a link is not opened. */
export type ActingReason = { kind: 'sign-out' | 'action'; detail: string }

/** Properties of a link on a page, beyond its address. */
export type LinkHints = {
  /** Its scripts send another method, or ask for a confirmation. */
  acts?: 'method' | 'confirm'
  /** Text of the link, if it is short. */
  label?: string
}

const signOutPhrases: ReadonlySet<string> = new Set(signOut.signOutPhrases)
/** Titles of a wiki begin with a capital letter, or are written without capitals; programs in its folder do not. */
const isWikiTitle = (folders: readonly Part[], { raw }: Part): boolean =>
  folders.at(-1)?.compact === 'wiki' && /^[\p{Lu}\p{Lo}]/u.test(raw)

/** A namespace of MediaWiki: a page of it is a program. */
const namespacePattern = /^(?:special|spezial|sp[eé]cial|especial|speciale|特別)(?::|%3a)/i
const isProgramPart = ({ raw, isCode }: Part): boolean => isCode || namespacePattern.test(raw) || raw.includes('!')

function isSignOutPart(part: Part, isInAccount: boolean, isInSubscription: boolean): boolean {
  if (namespacePattern.test(part.raw) && signOut.shortSignOuts.has(part.words.slice(1).join(''))) return true
  if (signOut.shortSignOuts.has(part.compact)) return isInAccount
  if (!isSignOutPhrase(part.compact)) return false
  if (signOut.sessionEndNouns.test(part.compact) && !isInAccount) return false
  return !(isInSubscription && [...signOut.ambiguousSignOuts].some((phrase) => part.compact.includes(phrase)))
}

/** Parts after the one that signs out: ids, languages and names of the only page. */
const isTrailing = (parts: readonly Part[], index: number): boolean =>
  isId(parts, index) ||
  /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(parts[index]!.raw) ||
  /^(?:index|default)\b/i.test(parts[index]!.raw) ||
  isSignOutPhrase(`logout${parts[index]!.compact}`)

/** Returns the part of a path that signs out: its last one, or one before ids. */
function findSignOut(parts: readonly Part[], isInSubscription: boolean): Part | null {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]!
    const folders = parts.slice(0, index)
    const isInAccount = index === 0 || isIn(signOut.accountFolders, parts[index - 1])
    const pair: Part | null = index > 0 ? { ...part, compact: `${parts[index - 1]!.compact}${part.compact}` } : null
    const isArticle = (hasFolder(words.documentationFolders, folders) || isWikiTitle(folders, part)) && !isProgramPart(part)
    const isPost = hasFolder(words.articleFolders, folders) && !signOutPhrases.has(part.compact) && !isProgramPart(part)
    if (isPost) return null
    const isPair = pair !== null && signOut.sessionPattern.test(pair.compact) && isSignOutPart(pair, true, false)
    if (!isArticle && (isSignOutPart(part, isInAccount, isInSubscription) || isPair)) return part
    if (!isTrailing(parts, index)) return null
  }
  return null
}

/** Returns the firm verb that a part consists of. */
function hasFirmVerb(part: Part): boolean {
  if (isFirmPhrase(part.compact)) return true
  const lastWord = part.words.at(-1)
  if (!isProgramPart(part)) return part.words.length === 2 && words.firmVerbSet.has(lastWord ?? '') && isManaged(part.words[0]!)
  return [part.words[0], lastWord].some((word) => word !== undefined && words.firmVerbSet.has(word))
}

const isProduced = (part: Part, previous: Part | undefined): boolean =>
  part.words.includes('download') &&
  (part.words.some((word) => words.producedObjects.has(word)) ||
    (part.words.length === 1 && isIn(words.producingFolders, previous)))

const switchWords = /^(?:up|down|on|off|yes|no|true|false|confirm|undo)$/

/** Verbs of a part: all of it, or the edges of a name in code if the remaining words are objects. */
function listVerbs(part: Part): string[] {
  if (!isProgramPart(part)) return [part.compact]
  const edges = [
    { verb: part.words[0]!, others: part.words.slice(1) },
    { verb: part.words.at(-1)!, others: part.words.slice(0, -1) },
  ]
  return [part.compact, ...edges.filter(({ others }) => others.every(isManaged)).map(({ verb }) => verb)]
}

/** Returns true if a part starts work: `/orders/export`, `/backups/create`. */
function startsWork(part: Part, previous: Part | undefined, isProgram: boolean): boolean {
  const isExport = listVerbs(part).some((verb) => words.exportVerbs.has(verb))
  if (isExport && (isIn(words.managedNouns, previous) || isProgram)) return true
  return isIn(words.producingFolders, previous) && listVerbs(part).some((verb) => words.producingVerbs.has(verb))
}

/** Returns true if a part restarts or switches a machine: `/server/restart`, `/vms/web/stop`. */
function switchesMachine(parts: readonly Part[], index: number): boolean {
  const machines = [parts[index - 1], parts[index - 2]]
  const isMachine = machines.some((part) => isIn(words.machineNouns, part))
  const verbs = listVerbs(parts[index]!)
  if (verbs.some((verb) => words.restartVerbs.has(verb)))
    return isMachine || isIn(words.machineFolders, parts[index - 1]) || isId(parts, index - 1)
  return isMachine && verbs.some((verb) => words.machineVerbs.has(verb))
}

/** Returns true if a part collects or judges a thing with a name: `/users/anna/follow`, `/repos/anna/tool/fork`. */
function judgesThing(parts: readonly Part[], index: number): boolean {
  const verbs = listVerbs(parts[index]!)
  const nouns = [parts[index - 2], parts[index - 3]]
  if (verbs.includes('watch')) return nouns.some((part) => isIn(words.watchedNouns, part))
  if (!verbs.some((verb) => words.socialVerbs.has(verb))) return false
  const isOfUser = [parts[index - 1], parts[index - 2]].some((part) => /^[@~]\w/.test(part?.raw ?? ''))
  return isOfUser || nouns.some((part) => isIn(words.socialNouns, part))
}

/** Returns true for a verb with what it sets, after an id: `/users/5/reset-password`. */
function setsState({ words: [verb, ...others] }: Part): boolean {
  if (verb === undefined || others.length === 0 || others.length > 3) return false
  const isVerb = words.firmVerbSet.has(verb) || words.looseVerbsAfterId.has(verb) || /^(?:set|make|move|submit)$/.test(verb)
  return isVerb && others.every((word) => words.actionStates.has(word) || isManaged(word))
}

function hasLooseVerb(parts: readonly Part[], index: number, hasIdParameter: boolean): boolean {
  const part = parts[index]!
  const previous = parts[index - 1]
  const isLast = index === parts.length - 1
  const isProgram = isProgramPart(part) && hasIdParameter
  if (isLast && (isProduced(part, previous) || startsWork(part, previous, isProgramPart(part)))) return true
  if (isLast && (switchesMachine(parts, index) || judgesThing(parts, index))) return true
  if (isLast && isId(parts, index - 1) && setsState(part)) return true
  const verbs = listVerbs(part)
  if (!verbs.some((verb) => words.looseVerbSet.has(verb) || words.runningVerbs.has(verb))) return false
  if (switchWords.test(parts[index + 1]?.raw ?? '') && isId(parts, index - 1)) return true
  const isRunning = verbs.some((verb) => words.runningVerbs.has(verb)) && isIn(words.runnableNouns, parts[index - 2])
  if (isLast && isRunning && isId(parts, index - 1)) return true
  const isPage = !verbs.some((verb) => words.looseVerbsAfterId.has(verb))
  if (isLast && !isPage && isId(parts, index - 1)) return true
  const isBeforeId = verbs.some((verb) => words.looseVerbsBeforeId.has(verb))
  if (isBeforeId && ((isId(parts, index + 1) && index + 2 >= parts.length) || (isLast && hasIdParameter))) return true
  if (isLast && isProgram && (!isPage || verbs.includes('vote') || verbs.includes('rate'))) return true
  return isIn(words.managedNouns, previous) && parts.length - index <= 2 && !isPage
}

/** Returns true below a folder of texts, unless they are managed there: `/admin/noticias/publicar/64`. */
function isBelowTexts(folders: readonly Part[]): boolean {
  const index = folders.findLastIndex((folder) => isIn(words.articleFolders, folder))
  const folder = folders[index]
  return folder !== undefined && (isIn(words.helpFolders, folder) || !hasFolder(words.managementFolders, folders.slice(0, index)))
}

/** Returns the part of a path that acts. */
function findAction(parts: readonly Part[], path: string, hasIdParameter = false): string | null {
  if (words.actingPaths.some((pattern) => pattern.test(foldText(path)))) return path
  for (const [index, part] of parts.entries()) {
    if (part.compact === '') continue
    const folders = parts.slice(0, index)
    const isLast = index === parts.length - 1
    // In a manual, the title of a page may follow its number; elsewhere, what is done to it.
    const isTitle = !isId(parts, index - 1) || (part.words.length > 1 && hasFolder(words.helpFolders, folders))
    const isText = isBelowTexts(folders) && isTitle && !isProgramPart(part)
    const isArticle = isText || (isWikiTitle(folders, part) && !namespacePattern.test(part.raw))
    if (part.compact === 'formkey' && !isLast) return part.raw
    if (isArticle) continue
    if (isCollectionPhrase(part.compact)) return part.raw
    if (hasFolder(words.collectionWords, folders) && isIn(words.collectionVerbs, part)) return part.raw
    const hasFile = fileEndings.test(part.raw) && !programEndings.test(part.raw) && !/\.(?:csv|xlsx?|sql|zip)$/i.test(part.raw)
    if (hasFile) continue
    const follows = parts.length - 1 - index
    const isNext = follows === 1 && index > 0 && parts[index + 1]!.words.length === 1
    if (hasFirmVerb(part) && (isLast || isNext || isId(parts, index + 1) || isId(parts, parts.length - 1))) return part.raw
    const isFirmPair = part.words.length === 2 && part.words.some((word) => words.firmVerbSet.has(word))
    if (isFirmPair && follows === 1 && isId(parts, index + 1)) return part.raw
    if (hasLooseVerb(parts, index, hasIdParameter)) return part.raw
  }
  return null
}

type Parameter = { name: string; rawName: string; value: string }

function readParameters(search: string): Parameter[] {
  return [...new URLSearchParams(search.slice(0, 4000)).entries()].slice(0, maxParts).map(([rawName, value]) => {
    const decodedName = decodeText(rawName)
    // An extension's parameters are in brackets: `tx_news[action]`.
    const innerName = /\[([a-z_-]+)\]$/i.exec(decodedName)?.[1] ?? decodedName
    return { name: readPart(innerName).compact, rawName: decodedName, value: decodeText(value).slice(0, 300) }
  })
}

const isIdParameter = ({ name, rawName, value }: Parameter): boolean =>
  (/(?:id|uid|pid|cid|idx)$/.test(name) || /^id[A-Z_]/.test(rawName)) && /^[\w-]{1,40}$/.test(value)
const isOff = (value: string): boolean => /^(?:0|false|no|off)$/i.test(value)

/** Returns true if a value names an action, as a whole or by its first or last word. */
function isActionValue(value: string, canBeLoose: boolean): boolean {
  const parts = value
    .split(/[/.:|,]/)
    .filter(Boolean)
    .map(readPart)
  return parts.some((part, index) => {
    if (index < parts.length - 2 || part.words.length === 0 || part.words.length > 5) return false
    const edges = [part.words[0]!, part.words.at(-1)!, part.compact]
    if (isFirmPhrase(part.compact) || edges.some((word) => words.firmVerbSet.has(word))) return true
    if (isCollectionPhrase(part.compact)) return true
    if (canBeLoose && edges.some((word) => words.looseVerbSet.has(word))) return true
    const isCollecting = part.words.some((word) => words.collectionWords.has(word.replace(/^.*(?=compare|wishlist|cart)/, '')))
    if (canBeLoose && isCollecting && part.words.some((word) => words.collectionVerbs.has(word))) return true
    return canBeLoose && isGluedAction(part.compact)
  })
}

const gluedVerbs = [...words.firmVerbSet, 'approve', 'activate', 'publish', 'install', 'spam', 'archive', 'restore'].filter(
  (verb) => verb.length >= 4,
)
const isGluedAction = buildPhraseTest(['do', 'ajax', 'bulk'], gluedVerbs, words.actionObjects)

const filterNames =
  /^(?:event|type|action|activity|kind|category|filter|status|evento|tipo|typ|azione|accion|aktion|vorgang)(?:s|type|name)?$/
/** Names of settings pages, and of pages for the time after a sign-out: `?page=logout-redirect`. */
const isAboutSignOut = ({ name, value }: Parameter, isLog: boolean): boolean =>
  (isLog && filterNames.test(name)) ||
  (/^(?:page|seite|pagina|view|tab|section|screen)$/.test(name) &&
    /(?:redirect\w*|callback|settings|options|weiterleitung|redireccion|einstellungen)$/.test(readPart(value).compact))

/** @param isLog the page lists what was done */
function findParameterSignOut(parameters: readonly Parameter[], isInSubscription: boolean, isLog: boolean): string | null {
  for (const parameter of parameters) {
    const { name, rawName, value } = parameter
    if (isAboutSignOut(parameter, isLog)) continue
    if (isSignOutPhrase(name) && !words.textParameters.has(name) && !isOff(value)) return rawName
    const isProgram =
      namespacePattern.test(value) || (value.includes('/') && !/^https?:|^\/\//.test(value) && ['q', 'p', 'r'].includes(name))
    if (words.textParameters.has(name) && !isProgram) continue
    if (!/^https?:/i.test(value) && findSignOut(readParts(value.replaceAll('.', '/')), isInSubscription)) return value
  }
  return null
}

function hasToken(parameters: readonly Parameter[]): string | null {
  // A request to a provider of sign-ins has a number of its own.
  if (parameters.some(({ name }) => name === 'clientid' || name === 'responsetype')) return null
  const token = parameters.find(({ name, rawName, value }) => value !== '' && isFormToken(name, rawName))
  return token?.rawName ?? null
}

/** Returns true for a program that counts a vote: the question and the answer are numbers. */
const isVote = (parameters: readonly Parameter[], program: Part | undefined): boolean =>
  program !== undefined &&
  isProgramPart(program) &&
  program.words.some((word) => words.votingVerbs.has(word)) &&
  parameters.filter(({ value }) => /^\d+$/.test(value)).length >= 2

function findParameterAction(parameters: readonly Parameter[], path: string): string | null {
  const folder = readParts(path)
  if (isVote(parameters, folder.at(-1))) return path
  for (const { name, rawName, value } of parameters) {
    const isActing = words.actingParameters.some(
      (row) => row.name.test(rawName) && (row.value?.test(value) ?? true) && (row.path?.test(foldText(path)) ?? true),
    )
    if (isActing) return `${rawName}=${value}`
    if (words.textParameters.has(name) && !(name === 'q' && value.includes('/'))) continue
    const isNamed = isFirmPhrase(name) || isCollectionPhrase(name) || /(?:^|.)dismiss$|^dismiss|^hidenotice/.test(name)
    if (isNamed && !isOff(value) && !hasFolder(words.articleFolders, folder)) return rawName
    const isAction = words.actionParameters.has(name)
    if (isAction && value.includes('/') && findAction(readParts(value), value)) return `${rawName}=${value}`
    const isCollecting = isAction && words.collectionVerbs.has(readPart(value).compact)
    if (isCollecting && hasFolder(words.collectionWords, folder)) return `${rawName}=${value}`
    const canAct = isAction || words.looseActionParameters.has(name)
    if (canAct && (words.commandNames.has(value) || isActionValue(value, isAction))) return `${rawName}=${value}`
    if (name === 'q' && findAction(readParts(value), value)) return `${rawName}=${value}`
  }
  return null
}

const hasVerb = (part: Part): boolean =>
  [part.compact, part.words[0] ?? '', part.words.at(-1) ?? ''].some(
    (word) => words.looseVerbSet.has(word) || words.firmVerbSet.has(word),
  )
/** Returns true for a parameter with a verb as its name, or as the value of an action: `?mark=topics`, `?mode=bump`. */
function isVerbParameter({ name, value }: Parameter): boolean {
  if (words.textParameters.has(name)) return false
  if (words.looseVerbsAfterId.has(name) || words.firmVerbSet.has(name)) return true
  return (words.actionParameters.has(name) || words.looseActionParameters.has(name)) && hasVerb(readPart(value))
}

/** Returns a token that pages carry, too, if the address also has a verb. */
function findLooseToken(parameters: readonly Parameter[], parts: readonly Part[]): string | null {
  const token = parameters.find(({ name, value }) => isLooseToken(name) && value.length >= 4)
  if (!token || isBelowTexts(parts)) return null
  return parts.some(hasVerb) || parameters.some(isVerbParameter) ? token.rawName : null
}

/** Labels of links that sign out. */
function isSignOutLabel(label: string, parts: readonly Part[], isInSubscription: boolean): boolean {
  const part = readPart(label)
  return !hasFolder(words.articleFolders, parts) && isSignOutPart(part, part.compact !== 'exit', isInSubscription)
}

const actsDetails = { method: 'the link sends another method', confirm: 'the link asks for a confirmation' }
const toAction = (detail: string): ActingReason => ({ kind: 'action', detail })

/** Splits off a route of an application in the fragment: `#/admin/logout`. */
const readHashRoute = ({ hash }: URL): string => (/^#!?\//.test(hash) ? hash.replace(/^#!?/, '') : '')

/**
 * Returns why opening a URL may sign out or change something on the site; null if it looks harmless. Pages about such actions
 * are harmless: `/help/how-to-delete-a-file`.
 */
export function judgeActing(url: URL, { acts, label = '' }: LinkHints = {}): ActingReason | null {
  const hashRoute = readHashRoute(url)
  const [hashPath = '', hashSearch = ''] = hashRoute.split('?', 2)
  const parameters = [...readParameters(url.search), ...readParameters(hashSearch)]
  const pathText = foldText(decodeText(`${url.pathname}${url.search}${hashRoute}`)).slice(0, 4000)
  const parts = readParts(url.pathname)
  if (isSourceFile(url)) return acts ? toAction(actsDetails[acts]) : null
  const isInSubscription = signOut.subscriptionHostPattern.test(url.hostname) || signOut.subscriptionPattern.test(pathText)
  for (const path of [url.pathname, hashPath]) {
    const signOutPart = findSignOut(readParts(path), isInSubscription)
    if (signOutPart) return { kind: 'sign-out', detail: signOutPart.raw }
  }
  const isLog = isIn(words.logFolders, parts.at(-1))
  const signOutParameter = findParameterSignOut(parameters, isInSubscription, isLog)
  if (signOutParameter !== null) return { kind: 'sign-out', detail: signOutParameter }
  if (isSignOutLabel(label, [...parts, ...readParts(hashPath)], isInSubscription)) return { kind: 'sign-out', detail: label }
  if (acts) return toAction(actsDetails[acts])
  const tokenName = hasToken(parameters)
  if (tokenName !== null) return toAction(`the token ${tokenName}`)
  const action =
    findAction(parts, url.pathname, parameters.some(isIdParameter)) ??
    findAction(readParts(hashPath), hashPath) ??
    findParameterAction(parameters, url.pathname)
  if (action !== null) return toAction(action.slice(0, 200))
  const looseToken = findLooseToken(parameters, parts)
  if (looseToken !== null) return toAction(`the token ${looseToken}`)
  const isAboutOne = parts.some((_, index) => isId(parts, index)) || parameters.some(({ value }) => /^\d+$/.test(value))
  const isActing = !isBelowTexts(parts) && isActingLabel(label, { isAboutOne, hasParameters: parameters.length > 0 })
  return isActing ? toAction(label) : null
}
