// Program of the npm package: the command line on any supported Node.
import './old-node.ts'
import './main.ts'
