/** A site published in two versions. */
export type Site = {
  name: string
  registry: 'npm' | 'PyPI'
  versions: readonly [string, string]
  /** Folder of its pages within the package. */
  folder: string
}

export const sites: readonly Site[] = [
  { name: 'startbootstrap-sb-admin-2', registry: 'npm', versions: ['4.0.7', '4.1.4'], folder: '.' },
  { name: 'admin-lte', registry: 'npm', versions: ['3.0.5', '3.2.0'], folder: '.' },
  { name: 'gentelella', registry: 'npm', versions: ['1.3.0', '1.4.0'], folder: 'production' },
  { name: 'alembic', registry: 'PyPI', versions: ['1.4.3', '1.7.7'], folder: 'docs' },
  { name: 'lxml', registry: 'PyPI', versions: ['4.6.5', '4.9.4'], folder: 'doc/html' },
]
