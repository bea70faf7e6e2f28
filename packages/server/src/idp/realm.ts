/** Path of the embedded provider. In a file of its own, because every process needs it, and few need the provider. */
export const realmPath = '/realms/clearway'
