import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import './styles/layout.css'
import './styles/charts.css'
import '../shared/styles/cards.css'
import '../shared/styles/progress.css'
import '../shared/styles/tables.css'
import './styles/lists.css'
import '../shared/styles/badges.css'
import '../shared/styles/forms.css'
import '../shared/styles/dialogs.css'
import './styles/narrow.css'
import { setApiBase } from '../shared/api.ts'
import { App } from './app.tsx'

setApiBase('/console/api')

render(<App />, document.getElementById('app') as HTMLElement)
