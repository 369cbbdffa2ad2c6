import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdown } from '@kiln/test-support/client-service.ts'
import { beforeAll } from 'vitest'
import { useInstalledCli } from '../support/installed-cli.ts'
import { testConvert } from './convert-suite.ts'
import { testExitCodes } from './exit-codes-suite.ts'
import { testLogin } from './login-suite.ts'
import { testOtherCommands } from './other-commands-suite.ts'

// The program is installed once for all of them.

const cli = useInstalledCli()
beforeAll(() => writeFile(join(cli.folder, 'report.md'), markdown))

testConvert(cli)
testOtherCommands(cli)
testExitCodes(cli)
testLogin(cli)
