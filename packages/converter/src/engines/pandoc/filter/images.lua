-- Every picture that is written is in the file itself; any other becomes a link, or its description.

local base64 = require 'base64'
local pictures = require 'pictures'
local counts = require 'counts'
local settings = require 'settings'

local target = settings.target

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
  dataUris[source] = dataUris[source] or ('data:' .. found.type .. ';base64,' .. base64.encode(found.bytes))
  return dataUris[source]
end

local function isWeb(source) return source:lower():match('^https?://') ~= nil end

local function isBeside(source)
  local named = source ~= '' and not source:match('^[%a][%w+.-]*:') and not source:match('^[/\\]')
  return named and not source:match('^%.%.?[/\\]*$') and not source:find('..', 1, true)
end

local function descriptionOf(image)
  counts.missing = counts.missing + 1
  return #image.caption > 0 and image.caption or { pandoc.Str('[image]') }
end

-- From its end, where one step finds it: a search from the start begins again at every letter.
local function lastName(address)
  local path = address:gsub('[?#].*$', '')
  local name = path:reverse():match('^/*([^/]+)')
  return name and name:reverse() or 'image'
end

-- Newsletters count their readers with it.
local function isTrackingPixel(image)
  local function isTiny(length) return length ~= nil and length:match '^[01]p?x?$' ~= nil end
  return isTiny(image.attributes.width) and isTiny(image.attributes.height)
end

local function linkInstead(image)
  local kind = isWeb(image.src) and 'remote' or 'missing'
  counts[kind] = counts[kind] + 1
  if kind == 'remote' and isTrackingPixel(image) then return {} end
  return pandoc.Link(#image.caption > 0 and image.caption or { pandoc.Str(lastName(image.src)) }, image.src)
end

local function safeImage(image)
  counts.pictures = counts.pictures + 1
  if settings.leavesPicturesOut or target == 'txt' then return descriptionOf(image) end
  -- The reader of EPUB takes an address for a path and loses a slash.
  image.src = image.src:gsub('^([hH][tT][tT][pP][sS]?:/)([^/])', '%1/%2')
  local source = image.src
  local isData = source:sub(1, 5):lower() == 'data:'
  if target == 'latex' then
    if isWeb(source) then return linkInstead(image) end
    if isBeside(source) and not pictures.inside(source) then return image end
    return descriptionOf(image)
  end
  -- With a size it would be written as a tag, and not as an image of Markdown.
  local attr = target == 'md' and pandoc.Attr() or image.attr
  if isData and settings.carriesDataUris then
    image.attr = attr
    return source:sub(1, 11):lower() == 'data:image/' and image or descriptionOf(image)
  end
  local found = isData and pictures.fromDataUri(source) or pictures.inside(source) or pictures.beside(source)
  if found then
    image.src = settings.carriesDataUris and dataUri(found, source) or nameInBag(found)
    image.attr = attr
    return image
  end
  if isWeb(source) or isBeside(source) then return target == 'rst' and image or linkInstead(image) end
  return descriptionOf(image)
end

return safeImage
