-- Between reader and writer, what the reader made of the user's file becomes a document that refers to
-- nothing outside itself.
--
-- 1. An image that came inside the file stays: a picture of the package (docx, odt, epub), one beside the document
--    in an archive, or a data: URI.
--    Any other becomes a link to where it was (on the web, or beside the file), or its description alone.
--    The writer then finds every picture in the file itself and has nothing to fetch.
-- 2. Formats that are one text file carry their pictures as data: URIs. LaTeX can not, and keeps descriptions.
-- 3. Of the metadata only keys that describe the document stay. Others name files (css, cover-image,
--    bibliography) or inject code (header-includes).
-- 4. Raw HTML becomes elements of the document, or where the target holds HTML keeps the tags and attributes of a list;
--    <br> and <img> always become line breaks and images. Raw text of any other format goes, except TeX on its way to LaTeX and within a line of Markdown.
-- 5. Attributes that load or run something go, and links that run something become plain text.
-- 6. In Markdown, lines within a paragraph that look like a list or a heading are escaped.
-- 7. In Markdown, tables with merged cells are HTML.
-- 8. Code blocks name their language as the highlighter does.
-- 9. Code blocks have their captions in front of them.
-- 10. Tracked changes that are to be seen are underlined and struck through.
-- 11. Citations of LaTeX show their numbers or keys.
-- 12. Tags of formulas are part of them where the target has no tags.
-- 13. GitHub's alerts have a title in place of their mark.
--
-- The environment says what is wanted: KILN_READER and KILN_TARGET are the formats, KILN_IDENTIFIER a fresh name for a book;
-- KILN_BESIDE is yes where the working folder holds the document's own parts;
-- KILN_PICTURES may be left-out, KILN_NUMBER_SECTIONS yes, KILN_CONTENTS yes, KILN_TRACKED_CHANGES shown.
-- Counts of pictures and of what was left out go to stderr, in one line at the end.

-- The other files of this folder, and none of the working folder, which may hold the user's.
package.path = pandoc.path.join { pandoc.path.directory(PANDOC_SCRIPT_FILE), '?.lua' }
package.cpath = ''

local withTitle = require 'alerts'
local attributes = require 'attributes'
local nameLanguage = require 'code-languages'
local headings = require 'headings'
local plainLines = require 'plain-lines'
local raw = require 'raw'
local safeImage = require 'images'
local safeMetadata = require 'metadata'
local settings = require 'settings'
local withCaption = require 'code-captions'
local withChanges = require 'changes'

-- One pass: each function is called for every element of its name, Meta after all of them.
local filter = {
  Image = safeImage,
  Link = attributes.safeLink,
  RawInline = raw.inline,
  RawBlock = raw.block,
  Header = headings.safeHeader,
  CodeBlock = withCaption(nameLanguage),
  BlockQuote = withTitle,
  Math = require 'formulas',
  Meta = safeMetadata,
}
-- Attributes are written by formats that hold HTML; the others have no place for them.
if settings.target == 'md' then
  -- Markdown readers do not know what to do with boxes and marks that only a style sheet would use.
  filter.Div = function(div) return div.content end
  filter.Span = withChanges(function(span) return span.content end)
  filter.Inlines = plainLines
  -- With attributes it would be written as a tag, and not as a link of Markdown.
  filter.Link = function(link)
    link.attr = pandoc.Attr()
    return attributes.safeLink(link) or link
  end
elseif settings.target == 'txt' then
  -- Text has no marks of its own for them.
  for _, name in ipairs { 'Emph', 'Strong', 'Strikeout', 'Underline', 'SmallCaps', 'Code' } do
    filter[name] = function(marked) return marked.content or pandoc.Str(marked.text) end
  end
elseif settings.holdsHtml then
  for _, name in ipairs { 'Div', 'Code' } do filter[name] = attributes.safeAttributes end
  filter.CodeBlock = withCaption(function(block)
    return nameLanguage(attributes.safeAttributes(block) or block) or block
  end)
  filter.Span = withChanges(attributes.safeAttributes)
elseif settings.showsChanges then
  filter.Span = withChanges(function() return nil end)
end

-- Citations first, while they have their commands; tables last, when the content of their cells is safe.
local passes = { filter }
if settings.readsLatex then table.insert(passes, 1, require 'citations') end
if settings.readsHtml then
  for number, pass in ipairs(require 'raw-html') do table.insert(passes, number, pass) end
end
if settings.target == 'md' then
  table.insert(passes, { Table = require 'tables' })
elseif settings.writesContents then
  table.insert(passes, { Pandoc = headings.withContents })
end
return passes
