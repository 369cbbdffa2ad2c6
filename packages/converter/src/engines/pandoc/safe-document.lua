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
-- 4. Raw HTML keeps the tags and attributes of a list; <br> and <img> become real line breaks and images.
--    Raw text of any other format goes, except TeX on its way to LaTeX.
-- 5. Attributes that load or run something go, and links that run something become plain text.
-- 6. Tracked changes that are to be seen are underlined and struck through.
--
-- The environment says what is wanted: KILN_TARGET is the format, KILN_IDENTIFIER a fresh name for a book;
-- KILN_BESIDE is yes where the working folder holds the document's own parts;
-- KILN_PICTURES may be left-out, KILN_NUMBER_SECTIONS yes, KILN_CONTENTS yes, KILN_TRACKED_CHANGES shown.
-- What was seen and left out goes to stderr, in one line at the end.

local target = os.getenv('KILN_TARGET')

local function words(text)
  local set = {}
  for word in text:gmatch('%S+') do set[word] = true end
  return set
end

local seen = { pictures = 0, remote = 0, missing = 0, markup = 0 }

local carriesDataUris = words 'html md rst'
local holdsHtml = words 'html md epub rst'

-- Images ----------------------------------------------------------------------------------------------------

local extensions = {
  ['image/png'] = 'png', ['image/jpeg'] = 'jpg', ['image/jpg'] = 'jpg', ['image/gif'] = 'gif',
  ['image/svg+xml'] = 'svg', ['image/webp'] = 'webp', ['image/avif'] = 'avif', ['image/bmp'] = 'bmp',
  ['image/x-ms-bmp'] = 'bmp', ['image/tiff'] = 'tif', ['image/emf'] = 'emf', ['image/x-emf'] = 'emf',
  ['image/wmf'] = 'wmf', ['image/x-wmf'] = 'wmf',
}

local alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

-- Two characters for every twelve bits: two look-ups turn three bytes into four characters.
local function encodingTable()
  local characters = {}
  for value = 0, 4095 do
    local high, low = value // 64 + 1, value % 64 + 1
    characters[value] = alphabet:sub(high, high) .. alphabet:sub(low, low)
  end
  return characters
end

local twelveBits

-- Six bytes at a time: this is where pictures take their time.
local function base64(bytes)
  twelveBits = twelveBits or encodingTable()
  local characters, byte = twelveBits, string.byte
  local missing = -#bytes % 6
  local padded = bytes .. string.rep('\0', missing)
  local chunks, pieces, count = {}, {}, 0
  for index = 1, #padded, 6 do
    local a, b, c, d, e, f = byte(padded, index, index + 5)
    pieces[count + 1] = characters[a << 4 | b >> 4]
    pieces[count + 2] = characters[(b & 15) << 8 | c]
    pieces[count + 3] = characters[d << 4 | e >> 4]
    pieces[count + 4] = characters[(e & 15) << 8 | f]
    count = count + 4
    -- The list of pieces stays small for a large picture.
    if count == 4096 then
      chunks[#chunks + 1] = table.concat(pieces, '', 1, count)
      count = 0
    end
  end
  chunks[#chunks + 1] = table.concat(pieces, '', 1, count)
  local text = table.concat(chunks)
  local length = (#bytes * 4 + 2) // 3
  return text:sub(1, length) .. string.rep('=', -length % 4)
end

local function fromBase64(text)
  local values = {}
  for index = 1, 64 do values[alphabet:byte(index)] = index - 1 end
  values[('-'):byte()], values[('_'):byte()] = 62, 63
  text = text:gsub('[^%w+/_-]', '')
  local pieces = {}
  for index = 1, #text - 1, 4 do
    local a, b, c, d = text:byte(index, index + 3)
    local bits = values[a] << 18 | values[b] << 12 | (c and values[c] or 0) << 6 | (d and values[d] or 0)
    pieces[#pieces + 1] = string.char(bits >> 16, bits >> 8 & 255, bits & 255):sub(1, d and 3 or c and 2 or 1)
  end
  return table.concat(pieces)
end

local function percentDecoded(text)
  return (text:gsub('%%(%x%x)', function(hex) return string.char(tonumber(hex, 16)) end))
end

-- Type and bytes of a picture that the uploaded file holds, by the name that the reader gave it.
local function picture(source)
  for _, name in ipairs { source, percentDecoded(source), (source:gsub('^%./', '')) } do
    local mime, bytes = pandoc.mediabag.lookup(name)
    local extension = mime and extensions[mime:lower():match('^[^;%s]+') or '']
    if extension then return { name = name, type = mime:match('^[^;%s]+'), bytes = bytes, extension = extension } end
  end
  return nil
end

local types = {}
for mime, extension in pairs(extensions) do types[extension] = types[extension] or mime end
types.png, types.jpg, types.jpeg, types.tiff, types.bmp = 'image/png', 'image/jpeg', 'image/jpeg', 'image/tiff', 'image/bmp'

-- Where the source of a picture may be found: LaTeX leaves the ending out, and names folders to look in. Pages of PDF were
-- painted.
local function placesBeside(source)
  local folders, places = { '' }, {}
  for line in io.lines('kiln-folders') do folders[#folders + 1] = line:gsub('/*$', '/') end
  for _, folder in ipairs(folders) do
    for _, ending in ipairs { '', '.png', '.jpg', '.jpeg', '.svg', '.gif', '.pdf.png' } do
      places[#places + 1] = folder .. source .. ending
    end
  end
  return places
end

local function isInside(path)
  return not path:find('..', 1, true) and not path:match('^[/\\]') and not path:match('^[%a][%w+.-]*:')
end

local function pictureBeside(source)
  if os.getenv('KILN_BESIDE') ~= 'yes' then return nil end
  for _, name in ipairs { source, percentDecoded(source), (percentDecoded(source):gsub('[?#].*$', '')) } do
    for _, place in ipairs(placesBeside(name)) do
      local mime = types[(place:match('%.(%w+)$') or ''):lower()]
      local file = mime and isInside(place) and io.open(place, 'rb')
      if file then
        local bytes = file:read('a')
        file:close()
        if bytes and #bytes > 0 then return { type = mime, bytes = bytes, extension = extensions[mime] } end
      end
    end
  end
  return nil
end

local function pictureFromDataUri(source)
  local parameters, data = source:match('^[dD][aA][tT][aA]:([^,]*),(.*)$')
  local mime = (parameters or ''):lower():match('^[^;]+')
  local extension = extensions[mime or '']
  if not extension then return nil end
  local bytes = parameters:lower():find(';base64', 1, true) and fromBase64(percentDecoded(data)) or percentDecoded(data)
  return { type = mime, bytes = bytes, extension = extension }
end

local inserted = 0

-- The writers look for pictures in pandoc's media bag, never on disk: it is where the reader put its own.
local function nameInBag(found)
  if found.name then return found.name end
  inserted = inserted + 1
  local name = string.format('kiln-%04d.%s', inserted, found.extension)
  pandoc.mediabag.insert(name, found.type, found.bytes)
  return name
end

local dataUris = {}

local function dataUri(found, source)
  dataUris[source] = dataUris[source] or ('data:' .. found.type .. ';base64,' .. base64(found.bytes))
  return dataUris[source]
end

local function isWeb(source) return source:lower():match('^https?://') ~= nil end

local function isBeside(source)
  local named = source ~= '' and not source:match('^[%a][%w+.-]*:') and not source:match('^[/\\]')
  return named and not source:match('^%.%.?[/\\]*$') and not source:find('..', 1, true)
end

local function descriptionOf(image)
  seen.missing = seen.missing + 1
  return #image.caption > 0 and image.caption or { pandoc.Str('[image]') }
end

local function linkInstead(image)
  local kind = isWeb(image.src) and 'remote' or 'missing'
  seen[kind] = seen[kind] + 1
  local name = image.src:gsub('[?#].*$', ''):match('([^/]+)/*$')
  return pandoc.Link(#image.caption > 0 and image.caption or { pandoc.Str(name or 'image') }, image.src)
end

local leavesPicturesOut = os.getenv('KILN_PICTURES') == 'left-out'

local function safeImage(image)
  seen.pictures = seen.pictures + 1
  if leavesPicturesOut or target == 'txt' then return descriptionOf(image) end
  -- The reader of EPUB takes an address for a path and loses a slash.
  image.src = image.src:gsub('^([hH][tT][tT][pP][sS]?:/)([^/])', '%1/%2')
  local source = image.src
  local isData = source:sub(1, 5):lower() == 'data:'
  if target == 'latex' then
    if isWeb(source) then return linkInstead(image) end
    if isBeside(source) and not picture(source) then return image end
    return descriptionOf(image)
  end
  if isData and carriesDataUris[target] then
    return source:sub(1, 11):lower() == 'data:image/' and image or descriptionOf(image)
  end
  local found = isData and pictureFromDataUri(source) or picture(source) or pictureBeside(source)
  if found then
    image.src = carriesDataUris[target] and dataUri(found, source) or nameInBag(found)
    -- With a size it would be written as a tag, and not as an image of Markdown.
    if target == 'md' then image.attr = pandoc.Attr() end
    return image
  end
  if isWeb(source) or isBeside(source) then return target == 'rst' and image or linkInstead(image) end
  return descriptionOf(image)
end

-- Attributes and links --------------------------------------------------------------------------------------

local safeSchemes = words 'http https mailto tel ftp ftps doi news irc geo sms xmpp'
local loadingAttributes = words [[
  src srcset poster background data action formaction ping manifest srcdoc xlink:href data-src usemap longdesc
  codebase classid archive profile icon lowsrc dynsrc original-image-src
]]

local function isSafeTarget(url)
  local scheme = url:gsub('[%c%s]', ''):lower():match('^([%a][%w+.-]*):')
  return scheme == nil or safeSchemes[scheme]
end

local function isSafeAttribute(name, value)
  name = name:lower()
  if name:sub(1, 2) == 'on' or name:sub(1, 7) == 'data-on' or loadingAttributes[name] then return false end
  if name ~= 'style' then return true end
  local plain = value:lower():gsub('/%*.-%*/', '')
  return not (plain:find('\\', 1, true) or plain:find('url', 1, true) or plain:find('import', 1, true) or plain:find('expression', 1, true))
end

local function safeAttributes(element)
  local unsafe = {}
  for name, value in pairs(element.attributes) do
    if not isSafeAttribute(name, value) then unsafe[#unsafe + 1] = name end
  end
  if #unsafe == 0 then return nil end
  for _, name in ipairs(unsafe) do element.attributes[name] = nil end
  return element
end

local function safeLink(link)
  if not isSafeTarget(link.target) then return link.content end
  return safeAttributes(link)
end

-- Raw HTML --------------------------------------------------------------------------------------------------

local keptTags = words [[
  a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd
  del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav
  ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead
  time tr tt u ul var wbr
]]
-- What stands between these is no text for a reader.
local emptiedTags = words 'script style template noscript iframe object embed svg math title head textarea select'
local keptAttributes = words [[
  id class title lang dir align valign width height colspan rowspan span start type open name datetime href
  role scope border cellpadding cellspacing reversed value
]]

local function attributesOf(text)
  local list, rest = {}, text
  while true do
    rest = rest:gsub('^[%s/]+', '')
    local name = rest:match('^[^%s=/]+')
    if not name then return list end
    rest = rest:sub(#name + 1)
    local value, equals = '', rest:match('^%s*=%s*')
    if equals then
      rest = rest:sub(#equals + 1)
      local quote = rest:match('^["\']')
      value = quote and (rest:match('^' .. quote .. '([^' .. quote .. ']*)')) or rest:match('^[^%s]*')
      rest = rest:sub(#value + (quote and 3 or 1))
    end
    list[#list + 1] = { name = name:lower(), value = value }
  end
end

local function safeTag(closing, name, rest)
  if not keptTags[name] then return '' end
  if closing == '/' then return '</' .. name .. '>' end
  local kept = {}
  for _, attribute in ipairs(attributesOf(rest)) do
    local value = attribute.value:gsub('[<>"]', { ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' })
    -- An entity may hide a letter of "javascript:"; none but &amp; belongs before the scheme's colon.
    local isSafe = attribute.name ~= 'href' or (isSafeTarget(value) and not value:gsub('&amp;', ''):find('&', 1, true))
    if keptAttributes[attribute.name] and isSafe then
      kept[#kept + 1] = string.format(' %s="%s"', attribute.name, value)
    end
  end
  return '<' .. name .. table.concat(kept) .. '>'
end

-- Walks the text tag by tag. Whatever is not a whole tag is text, where a lone "<" is written as an entity.
local function safeHtml(text)
  text = text:gsub('<!%-%-.-%-%->', ''):gsub('<[!?][^>]*>', '')
  local pieces, position = {}, 1
  while true do
    local from, to, closing, name, rest = text:find('<(/?)(%a[%w:-]*)([^<>]*)>', position)
    pieces[#pieces + 1] = text:sub(position, (from or #text + 1) - 1):gsub('<', '&lt;')
    if not from then return table.concat(pieces) end
    position, name = to + 1, name:lower()
    if closing == '' and emptiedTags[name] then
      local _, ending = text:lower():find('</' .. name .. '%s*>', position)
      position = (ending or #text) + 1
    else
      pieces[#pieces + 1] = safeTag(closing, name, rest)
    end
  end
end

local entities = { amp = '&', lt = '<', gt = '>', quot = '"', apos = "'" }

local function imageFromTag(text)
  local rest = text:match('^%s*<[iI][mM][gG]([%s/][^<>]*)>%s*$')
  if not rest then return nil end
  local found = {}
  for _, attribute in ipairs(attributesOf(rest)) do
    found[attribute.name] = attribute.value:gsub('&(%a+);', entities)
  end
  local size = {}
  for _, side in ipairs { 'width', 'height' } do
    local length = (found[side] or ''):match('^%d+%%?$') or (found[side] or ''):match('^%d+px$')
    if length then size[side] = length end
  end
  local alt = found.alt and found.alt ~= '' and { pandoc.Str(found.alt) } or {}
  return safeImage(pandoc.Image(alt, found.src or '', '', pandoc.Attr('', {}, size)))
end

local function safeRaw(raw, make, makeFromInline)
  local format = raw.format:lower()
  if format:match('^html') then
    local image = imageFromTag(raw.text)
    if image then return makeFromInline(image) end
    if raw.text:lower():match('^%s*<br%s*/?>%s*$') then return makeFromInline(pandoc.LineBreak()) end
    if holdsHtml[target] then return make('html', safeHtml(raw.text)) end
    -- Comments say nothing to a reader.
    if not raw.text:match('^%s*<!%-%-') then seen.markup = seen.markup + 1 end
    return {}
  end
  local texForLatex = target == 'latex' and (format == 'tex' or format == 'latex')
  if not texForLatex then seen.markup = seen.markup + 1 end
  return texForLatex and raw or {}
end

local function asInlines(inlines) return inlines end
local function asBlock(inlines) return pandoc.Plain(inlines) end

-- Metadata --------------------------------------------------------------------------------------------------

local describing = words [[
  title subtitle author date lang dir abstract keywords subject description category rights publisher identifier
  creator contributor source language coverage title-meta author-meta abstract-title institute thanks copyright
]]

local firstHeading

local function tellWhatWasSeen()
  io.stderr:write(string.format('kiln: version=%s pictures=%d remote=%d missing=%d markup=%d\n',
    tostring(PANDOC_VERSION), seen.pictures, seen.remote, seen.missing, seen.markup))
end

local function safeMetadata(meta)
  tellWhatWasSeen()
  local cover = meta['cover-image'] and not leavesPicturesOut and picture(pandoc.utils.stringify(meta['cover-image']))
  local kept = {}
  for key, value in pairs(meta) do
    if describing[key] then kept[key] = value end
  end
  -- Some formats want a title; the first heading is what a reader would call the document.
  if not kept.title or pandoc.utils.stringify(kept.title) == '' then
    if target == 'epub' then kept.title = firstHeading or 'Untitled' end
    if target == 'html' then kept.pagetitle = firstHeading or 'Untitled' end
  end
  -- The page brings its own style sheet.
  if target == 'html' then kept['document-css'] = false end
  if target == 'epub' then
    kept['cover-image'] = cover and cover.name
    kept.identifier = kept.identifier or os.getenv('KILN_IDENTIFIER')
  end
  return pandoc.Meta(kept)
end

-- Headings --------------------------------------------------------------------------------------------------

local numbersSections = os.getenv('KILN_NUMBER_SECTIONS') == 'yes'
local counts = {}

-- Headings come in the order of the document.
local function numbered(header)
  if header.classes:includes('unnumbered') then return header end
  counts[header.level] = (counts[header.level] or 0) + 1
  for level = header.level + 1, 6 do counts[level] = nil end
  local parts = {}
  for level = 1, header.level do parts[level] = counts[level] or 0 end
  header.content:insert(1, pandoc.Space())
  header.content:insert(1, pandoc.Str(table.concat(parts, '.')))
  return header
end

-- The table of contents of an OpenDocument text. Pandoc's own stays empty until somebody updates it; this one has
-- its entries, as links, and can be updated too, which adds the numbers of the pages.
local writesContents = os.getenv('KILN_CONTENTS') == 'yes'
local contentsDepth = 3
local contents = {}

local function escaped(text)
  return (text:gsub('[&<>"]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }))
end

local function noteForContents(header)
  if header.level > contentsDepth then return end
  contents[#contents + 1] = string.format(
    '<text:p text:style-name="Contents_20_%d"><text:a xlink:type="simple" xlink:href="#%s">%s</text:a></text:p>',
    header.level, escaped(header.identifier), escaped(pandoc.utils.stringify(header)))
end

local function withContents(document)
  local templates = {}
  for level = 1, contentsDepth do
    templates[level] = string.format(
      '<text:table-of-content-entry-template text:outline-level="%d" text:style-name="Contents_20_%d">'
        .. '<text:index-entry-link-start/><text:index-entry-text/><text:index-entry-tab-stop style:type="right"'
        .. ' style:leader-char="."/><text:index-entry-page-number/><text:index-entry-link-end/>'
        .. '</text:table-of-content-entry-template>', level, level)
  end
  document.blocks:insert(1, pandoc.RawBlock('opendocument',
    '<text:table-of-content text:name="Contents"><text:table-of-content-source text:outline-level="'
      .. contentsDepth .. '">' .. table.concat(templates) .. '</text:table-of-content-source><text:index-body>'
      .. table.concat(contents) .. '</text:index-body></text:table-of-content>'))
  return document
end

-- Tracked changes -------------------------------------------------------------------------------------------

local function nothing() return {} end

local changes = {
  insertion = function(span) return pandoc.Underline(span.content) end,
  deletion = function(span) return pandoc.Strikeout(span.content) end,
  ['paragraph-insertion'] = nothing,
  ['paragraph-deletion'] = nothing,
  ['comment-start'] = nothing,
  ['comment-end'] = nothing,
}

-- Only the reader of Word marks them, and only when it is told to.
local showsChanges = os.getenv('KILN_TRACKED_CHANGES') == 'shown'

local function withChanges(otherwise)
  if not showsChanges then return otherwise end
  return function(span)
    local show = changes[span.classes[1]]
    return (show or otherwise)(span)
  end
end

-- One pass: each function is called for every element of its name, Meta after all of them.
local filter = {
  Image = safeImage,
  Link = safeLink,
  RawInline = function(raw) return safeRaw(raw, pandoc.RawInline, asInlines) end,
  RawBlock = function(raw) return safeRaw(raw, pandoc.RawBlock, asBlock) end,
  Header = function(header)
    firstHeading = firstHeading or pandoc.utils.stringify(header)
    local safe = safeAttributes(header)
    local written = numbersSections and numbered(safe or header) or safe
    if writesContents then noteForContents(written or header) end
    return written
  end,
  Meta = safeMetadata,
}
-- Attributes are written by formats that hold HTML; the others have no place for them.
if target == 'md' then
  -- Markdown readers do not know what to do with boxes and marks that only a style sheet would use.
  filter.Div = function(div) return div.content end
  filter.Span = withChanges(function(span) return span.content end)
elseif target == 'txt' then
  -- Text has no marks of its own for them.
  for _, name in ipairs { 'Emph', 'Strong', 'Strikeout', 'Underline', 'SmallCaps', 'Code' } do
    filter[name] = function(marked) return marked.content or pandoc.Str(marked.text) end
  end
elseif holdsHtml[target] then
  for _, name in ipairs { 'Div', 'Code', 'CodeBlock' } do filter[name] = safeAttributes end
  filter.Span = withChanges(safeAttributes)
elseif showsChanges then
  filter.Span = withChanges(function() return nil end)
end

return writesContents and { filter, { Pandoc = withContents } } or { filter }
