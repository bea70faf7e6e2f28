import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { ObjectStore } from '../kit/object-store/store.ts'
import { createFolderStore } from '../kit/object-store/folder.ts'
import { createS3Store } from '../kit/object-store/s3.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'
import { markObjectName, parseObjectName } from '../monitor/page/object/model.ts'
import { type OpenObjects, openObjects, type Stores } from '../monitor/page/object/service.ts'

/** The folder of objects; also used when objects are written elsewhere, to read older ones. */
export const openObjectFolder = (config: Config) =>
  createFolderStore(config.CLEARWAY_OBJECTS_FOLDER ?? join(config.CLEARWAY_DATA, 'objects'))

/** A store limited to our objects for backups; ignores files of other programs. */
export const filterOwnObjects = (store: ObjectStore): ObjectStore => ({
  ...store,
  async *list() {
    for await (const names of store.list())
      yield names.filter((name) => name === markObjectName || parseObjectName(name) !== null)
  },
})

function openStores(config: Config): Stores {
  const { CLEARWAY_S3_URL: bucketUrl, CLEARWAY_S3_KEY_ID: accessKeyId, CLEARWAY_S3_SECRET: accessSecret } = config
  const folderObjects = openObjectFolder(config)
  if (bucketUrl === null) return { folder: folderObjects }
  if (accessKeyId === null || accessSecret === null)
    throw new ClusterError('CLEARWAY_S3_URL also needs CLEARWAY_S3_KEY_ID and CLEARWAY_S3_SECRET.')
  return {
    folder: folderObjects,
    s3: createS3Store({ url: bucketUrl, region: config.CLEARWAY_S3_REGION, keyId: accessKeyId, secret: accessSecret }),
  }
}

/** Store for new bytes. With an external database, several machines may not share a folder, so it needs to be configured. */
export function getObjectTarget(config: Config): Exclude<Config['CLEARWAY_OBJECTS'], 'auto'> {
  if (config.CLEARWAY_OBJECTS !== 'auto') return config.CLEARWAY_OBJECTS
  if (config.CLEARWAY_S3_URL !== null) return 's3'
  return config.DATABASE_URL === null || config.CLEARWAY_OBJECTS_FOLDER !== null ? 'folder' : 'database'
}

/** Opens the configured stores for bytes of pages. @throws ClusterError for missing settings */
export function openConfiguredObjects(config: Config, log: (message: string) => void): OpenObjects {
  const objectStores = openStores(config)
  const targetStore = getObjectTarget(config)
  if (targetStore === 's3' && !objectStores.s3) throw new ClusterError('CLEARWAY_OBJECTS=s3 needs CLEARWAY_S3_URL.')
  return openObjects({ target: targetStore === 'database' ? null : targetStore, stores: objectStores, log })
}
