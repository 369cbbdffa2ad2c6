import { existsSync, readFileSync } from 'node:fs'
import { writeAsAdmin } from './backports.mjs'

// Some packages start a service when they are installed; PostgreSQL also makes a cluster of its own. Kiln wants
// the programs only. While packages are installed, services do not start and no cluster is made; afterwards
// both settings are as they were. A file that a killed set-up left behind is known by its mark and removed.

const POLICY = '/usr/sbin/policy-rc.d'
const MARK = 'Written by the set-up of Kiln while it installs packages'
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'
const CLUSTER_DEFAULTS = '/usr/share/postgresql-common/createcluster.conf'

export async function withoutServices(asAdmin, work) {
  const ownPolicy = !existsSync(POLICY) || readFileSync(POLICY, 'utf8').includes(MARK)
  if (ownPolicy) await writeAsAdmin(asAdmin, POLICY, `#!/bin/sh\n# ${MARK}\nexit 101\n`, '0755')
  const ownClusterSettings =
    !existsSync(CLUSTER_SETTINGS) || readFileSync(CLUSTER_SETTINGS, 'utf8').includes(MARK)
  if (ownClusterSettings) {
    await writeAsAdmin(asAdmin, CLUSTER_SETTINGS, `# ${MARK}\ncreate_main_cluster = false\n`)
  }
  try {
    return await work()
  } finally {
    if (ownPolicy) await asAdmin('rm', ['-f', POLICY])
    if (ownClusterSettings) {
      if (existsSync(CLUSTER_DEFAULTS)) await asAdmin('cp', [CLUSTER_DEFAULTS, CLUSTER_SETTINGS])
      else await asAdmin('rm', ['-f', CLUSTER_SETTINGS])
    }
  }
}
