-- Pictures that came with the document: in its package, beside it in an archive, or as a data: URI.

local base64 = require 'base64'
local settings = require 'settings'

local extensions = {
  ['image/png'] = 'png', ['image/jpeg'] = 'jpg', ['image/jpg'] = 'jpg', ['image/gif'] = 'gif',
  ['image/svg+xml'] = 'svg', ['image/webp'] = 'webp', ['image/avif'] = 'avif', ['image/bmp'] = 'bmp',
  ['image/x-ms-bmp'] = 'bmp', ['image/tiff'] = 'tif', ['image/emf'] = 'emf', ['image/x-emf'] = 'emf',
  ['image/wmf'] = 'wmf', ['image/x-wmf'] = 'wmf',
}

local function percentDecoded(text)
  return (text:gsub('%%(%x%x)', function(hex) return string.char(tonumber(hex, 16)) end))
end

-- Type and bytes of a picture that the uploaded file holds, by the name that the reader gave it.
local function pictureInside(source)
  local asked
  for _, name in ipairs { source, percentDecoded(source), (source:gsub('^%./', '')) } do
    -- Most are the same three times, and the bag takes long for a long name.
    local mime, bytes
    if name ~= asked then mime, bytes = pandoc.mediabag.lookup(name) end
    asked = name
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
  for line in io.lines('.kiln-folders') do folders[#folders + 1] = line:gsub('/*$', '/') end
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
  if not settings.hasPartsBeside then return nil end
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
  local bytes = parameters:lower():find(';base64', 1, true) and base64.decode(percentDecoded(data)) or percentDecoded(data)
  return { type = mime, bytes = bytes, extension = extension }
end

return { inside = pictureInside, beside = pictureBeside, fromDataUri = pictureFromDataUri }
