import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse, type Upload, type UploadedFile } from './answer.ts'
import { computeHash } from '../hash.ts'
import { getProcessIdentity, isRunning, type ProcessIdentity } from '../running-process.ts'
import { createOpenCount } from './open-count.ts'

export const noUpload: Upload = { files: [], fields: {} }

/** Maximum number of text fields in a form, and maximum size of each. */
const maxFields = 50
const maxFieldBytes = 64 * 1024

const maxUploads = 20
const maxUploadsPerPerson = 2
const openUploads = createOpenCount(maxUploads)

/** All files that are being received in this process; each is removed when its request ends. */
const maxSpoolBytes = 2 * 1024 ** 3
let spoolBytes = 0

/** An upload that sends less than this per interval is ended, so that it cannot occupy its place for long. */
const minIntervalBytes = 64 * 1024
const idleIntervalMs = 30_000

const folderPrefix = 'clearway-upload-'
/** Longer than any request may take. */
const staleFolderMs = 20 * 60_000

/** The start of the folder names of a process. Machines, as containers with a common folder, are told apart by their hash. */
function getProcessPrefix({ pid, began, machine }: ProcessIdentity): string {
  return `${folderPrefix}${pid}-${began}-${computeHash(machine).toString('hex').slice(0, 8)}-`
}

/** True for a folder of a process of this machine that no longer runs. */
function isAbandoned(folderName: string): boolean {
  const [, pid, began] = /^clearway-upload-(\d+)-(\d*)-/.exec(folderName) ?? []
  if (pid === undefined || began === undefined) return false
  const owner = { pid: Number(pid), began, machine: getProcessIdentity().machine }
  return folderName.startsWith(getProcessPrefix(owner)) && isRunning(owner) === false
}

/** Removes folders of uploads that a killed process has left. */
export async function removeStaleUploads(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(folderPrefix)) continue
    const uploadFolder = join(folder, name)
    const { mtimeMs } = await stat(uploadFolder).catch(() => ({ mtimeMs: Infinity }))
    if (isAbandoned(name) || Date.now() - mtimeMs > staleFolderMs)
      await rm(uploadFolder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Removes such folders now, and those of other machines when they are old enough. @returns stops it */
export function startUploadSweep(): () => void {
  void removeStaleUploads()
  const sweepTimer = setInterval(() => void removeStaleUploads(), staleFolderMs).unref()
  return () => clearInterval(sweepTimer)
}

/** The folder of one upload, whose bytes are counted and must keep arriving. */
async function openSpool(request: FastifyRequest, releaseUpload: () => void) {
  const folder = await mkdtemp(join(tmpdir(), getProcessPrefix(getProcessIdentity())))
  let receivedBytes = 0
  let bytesAtLastCheck = request.raw.socket.bytesRead
  const idleTimer = setInterval(() => {
    // Counts bytes of the connection: the rest of a file over its limit arrives without being stored.
    const { bytesRead } = request.raw.socket
    if (bytesRead - bytesAtLastCheck < minIntervalBytes) request.raw.destroy(new UploadEnded('bad-request'))
    bytesAtLastCheck = bytesRead
  }, idleIntervalMs)
  return {
    folder,
    stopWatching: () => clearInterval(idleTimer),
    countBytes: () =>
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          receivedBytes += chunk.length
          spoolBytes += chunk.length
          done(spoolBytes > maxSpoolBytes ? new UploadEnded('too-many-requests') : null, chunk)
        },
      }),
    remove: async () => {
      releaseUpload()
      spoolBytes -= receivedBytes
      receivedBytes = 0
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The connection ends, because the rest of the upload is not read. */
class UploadEnded extends Error {
  readonly code: 'too-many-requests' | 'bad-request'
  constructor(code: UploadEnded['code']) {
    super('The upload is ended')
    this.code = code
  }
}

/**
 * Streams the files of a form to a temporary folder, so that neither memory nor the database waits for slow senders. Limits
 * uploads per person, bytes per process, the time without bytes, and files over the limit (one). `clear` removes the folder.
 */
export async function receiveFiles(
  request: FastifyRequest,
  uploaderKey: string,
  fileLimits: NonNullable<Endpoint['files']>,
  limits: ProductLimits,
): Promise<{ upload: Upload; clear: () => Promise<void> } | Refusal> {
  if (!request.isMultipart()) return refuse('unsupported-type', { detail: 'multipart/form-data is expected.' })
  const releaseUpload = openUploads.open(uploaderKey, maxUploadsPerPerson)
  if (!releaseUpload)
    return refuse('too-many-requests', {
      detail: `${maxUploadsPerPerson} uploads are in progress. Wait until one has ended.`,
    })
  const maxFiles = limits[fileLimits.limit]
  const spool = await openSpool(request, releaseUpload).catch((error: unknown) => {
    releaseUpload()
    throw error
  })
  const uploadedFiles: UploadedFile[] = []
  const formFields: Record<string, string> = Object.create(null) as Record<string, string>
  try {
    const formParts = request.parts({
      limits: {
        files: maxFiles + 1,
        fileSize: limits[fileLimits.bytes],
        fields: maxFields,
        fieldSize: maxFieldBytes,
        parts: maxFiles + 1 + maxFields,
        headerPairs: 20,
      },
    })
    for await (const formPart of formParts) {
      if (formPart.type === 'field') {
        formFields[formPart.fieldname] = String(formPart.value)
        continue
      }
      const filePath = join(spool.folder, String(uploadedFiles.length))
      await pipeline(formPart.file, spool.countBytes(), createWriteStream(filePath))
      uploadedFiles.push({ name: formPart.filename, type: formPart.mimetype, path: filePath, tooLarge: formPart.file.truncated })
      // Further files need not be read.
      if (uploadedFiles.length > maxFiles) break
    }
    return { upload: { files: uploadedFiles, fields: formFields }, clear: spool.remove }
  } catch (error) {
    await spool.remove()
    if (error instanceof UploadEnded) {
      // The unread rest would block the connection.
      request.raw.destroy()
      return refuse(error.code)
    }
    if ((error as { statusCode?: number }).statusCode === 413) return refuse('too-large')
    if (isFormError(error)) return refuse('bad-request', { detail: 'The form cannot be read.' })
    throw error
  } finally {
    spool.stopWatching()
  }
}

/** True for the errors that the parser throws for truncated or malformed forms. */
const isFormError = (error: unknown): boolean => {
  const { code, statusCode } = error as { code?: unknown; statusCode?: number }
  return statusCode === 400 || statusCode === 406 || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === undefined
}
