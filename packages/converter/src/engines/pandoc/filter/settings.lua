-- What is wanted, as the environment says it (safe-document.lua).

local words = require 'words'

local target = os.getenv('KILN_TARGET')

return {
  readsLatex = os.getenv('KILN_READER') == 'latex',
  target = target,
  carriesDataUris = words('html md rst')[target],
  holdsHtml = words('html md epub rst')[target],
  readsHtml = words('docx odt latex rst txt')[target],
  holdsTex = words('md latex rst')[target],
  hasPartsBeside = os.getenv('KILN_BESIDE') == 'yes',
  leavesPicturesOut = os.getenv('KILN_PICTURES') == 'left-out',
  numbersSections = os.getenv('KILN_NUMBER_SECTIONS') == 'yes',
  writesContents = os.getenv('KILN_CONTENTS') == 'yes',
  showsChanges = os.getenv('KILN_TRACKED_CHANGES') == 'shown',
  identifier = os.getenv('KILN_IDENTIFIER'),
}
