/** Folders with the name of a branch or commit. A number is that of a record: `/view/1234567/delete`. */
const sourceFolders =
  /\/-\/(?:blob|tree|raw|blame|commits)\/|\/(?:blob|blame|annotate)\/[^/]+\/|\/src\/(?:branch|tag|commit)\/|\/(?:tree|raw|src|browse|commits|view|plain|cat)\/(?:main|master|trunk|head|develop|refs|(?=\d*[a-f])[0-9a-f]{7,40})\//
const sourceFile = /\.[a-z][a-z0-9]{0,9}$/i
const sourceQuery = /^(?:\?(?:ref_type|h|at|plain|inline|raw|display|blame)(?:=[\w./-]*)?)?$/
/** Returns true for the address of a file of source code: `/-/blob/main/src/logout.php`. */
export const isSourceFile = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): boolean =>
  sourceFolders.test(pathname) && sourceFile.test(pathname) && sourceQuery.test(search)
