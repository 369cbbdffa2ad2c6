import { render } from 'preact'
import '../../pages/theme.css'
import '../shared/styles/cards.css'
import './styles/app.css'
import './styles/convert.css'
import '../shared/styles/forms.css'
import '../shared/styles/progress.css'
import '../shared/styles/dialogs.css'
import { setApiBase } from '../shared/api.ts'
import { App } from './app.tsx'

setApiBase('/app/api')
render(<App />, document.getElementById('app') as HTMLElement)
