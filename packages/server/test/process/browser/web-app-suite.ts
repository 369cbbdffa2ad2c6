import type { Site } from './pages.ts'
import { testAccessibility } from './web-app-access-suite.ts'
import { testAccountPage, testWebAppSignIn } from './web-app-account-suite.ts'
import { testConversion } from './web-app-conversion-suite.ts'
import { useWebAppUser } from './web-app-user.ts'

export function testWebApp(site: Site): void {
  const user = useWebAppUser(site)
  testConversion(site, user)
  testAccessibility(site, user)
  // Last: the account page shows the jobs of the tests before.
  testAccountPage(site, user)
  testWebAppSignIn(site)
}
