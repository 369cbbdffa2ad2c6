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
local function encode(bytes)
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

local function decode(text)
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

return { encode = encode, decode = decode }
