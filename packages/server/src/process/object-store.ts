import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { ObjectStore } from '../kit/object-store/store.ts'
import { folderStore } from '../kit/object-store/folder.ts'
import { s3Store } from '../kit/object-store/s3.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'
import { markName, readName } from '../monitor/page/object/model.ts'
import { type OpenObjects, openObjects, type Stores } from '../monitor/page/object/service.ts'

/** The folder of objects. Also of a machine that writes elsewhere: what it kept before is read there. */
export const objectFolder = (config: Config) =>
  folderStore(config.CLEARWAY_OBJECTS_FOLDER ?? join(config.CLEARWAY_DATA, 'objects'))

/** A store as a backup reads it: what other programs have put beside our objects stays out. */
export const ownObjects = (store: ObjectStore): ObjectStore => ({
  ...store,
  async *list() {
    for await (const names of store.list())
      yield names.filter((name) => name === markName || readName(name) !== null)
  },
})

function storesOf(config: Config): Stores {
  const { CLEARWAY_S3_URL: url, CLEARWAY_S3_KEY_ID: keyId, CLEARWAY_S3_SECRET: secret } = config
  const folder = objectFolder(config)
  if (url === null) return { folder }
  if (keyId === null || secret === null)
    throw new ClusterError('CLEARWAY_S3_URL needs CLEARWAY_S3_KEY_ID and CLEARWAY_S3_SECRET beside it.')
  return { folder, s3: s3Store({ url, region: config.CLEARWAY_S3_REGION, keyId, secret }) }
}

/** Where new bytes go. A database of many machines has no folder that all of them surely share. */
export function objectTarget(config: Config): Exclude<Config['CLEARWAY_OBJECTS'], 'auto'> {
  if (config.CLEARWAY_OBJECTS !== 'auto') return config.CLEARWAY_OBJECTS
  if (config.CLEARWAY_S3_URL !== null) return 's3'
  return config.DATABASE_URL === null || config.CLEARWAY_OBJECTS_FOLDER !== null ? 'folder' : 'database'
}

/**
 * Where the bytes of pages are, as the settings say.
 * @throws ClusterError when settings are missing
 */
export function objectsOf(config: Config, log: (message: string) => void): OpenObjects {
  const stores = storesOf(config)
  const target = objectTarget(config)
  if (target === 's3' && !stores.s3) throw new ClusterError('CLEARWAY_OBJECTS=s3 needs CLEARWAY_S3_URL.')
  return openObjects({ target: target === 'database' ? null : target, stores, log })
}
