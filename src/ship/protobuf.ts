import { oncePerObject } from "../event/once.ts";

/** How a field is written: a scalar, or the fields of a message inside. */
type FieldType = "string" | "hex" | "fixed64" | "sfixed64" | "double" | "varint" | "int64" | "bool" | MessageFields;

/** The fields of a message by their JSON names, with their numbers; a list is a repeated field. */
export interface MessageFields {
  readonly [name: string]: readonly [number: number, type: FieldType | (() => MessageFields)];
}

/**
 * Writes a message in the binary form of protocol buffers, from the object that its JSON form has. It is written from its
 * end to its beginning, so that the length of everything inside is known when it is needed.
 */
export function encodeMessage(message: object, fields: MessageFields): Buffer {
  const writer = new BackwardWriter();
  writer.message(message, plan(fields));
  return writer.written();
}

/** The fields of a small message by their numbers, the last of each: numbers and bytes. Empty for bytes that are not a message. */
export function readFields(bytes: Buffer): ReadonlyMap<number, number | Buffer> | undefined {
  const fields = new Map<number, number | Buffer>();
  let at = 0;
  const varint = (): number => {
    let [value, scale, byte] = [0, 1, 0x80];
    for (; byte >= 0x80 && at < bytes.length; scale *= 0x80) {
      byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
    }
    return byte < 0x80 ? value : Number.NaN;
  };
  while (at < bytes.length) {
    const tag = varint();
    const value = varint();
    if (Number.isNaN(value) || tag % 8 === 1 || tag % 8 > 2) return undefined;
    const isBytes = tag % 8 === 2;
    if (isBytes && at + value > bytes.length) return undefined;
    fields.set(Math.floor(tag / 8), isBytes ? bytes.subarray(at, at + value) : value);
    if (isBytes) at += value;
  }
  return fields;
}

interface PlannedField {
  readonly name: string;
  readonly tag: number;
  readonly type: FieldType;
  readonly inner: (() => readonly PlannedField[]) | undefined;
  readonly isPacked: boolean;
}

/** Fields in the order in which they are written: the last first. */
const plan = oncePerObject((fields: MessageFields): readonly PlannedField[] => {
  const planned = Object.entries(fields)
    .map(([name, [number, given]]): PlannedField => {
      const type = typeof given === "function" ? given() : given;
      const isPacked = type === "fixed64" || type === "double" || type === "sfixed64";
      const inner = typeof type === "object" ? () => plan(type) : undefined;
      return {
        name,
        tag: (number << 3) | WIRE_TYPES[typeof type === "object" ? "message" : type],
        type,
        inner,
        isPacked,
      };
    })
    .reverse();
  return planned;
});

const WIRE_TYPES = {
  varint: 0,
  int64: 0,
  bool: 0,
  fixed64: 1,
  sfixed64: 1,
  double: 1,
  string: 2,
  hex: 2,
  message: 2,
} as const;

class BackwardWriter {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #at = this.#bytes.length;

  written(): Buffer {
    return Buffer.from(this.#bytes.subarray(this.#at));
  }

  message(value: object, fields: readonly PlannedField[]): void {
    const given = value as Readonly<Record<string, unknown>>;
    for (const field of fields) {
      const item = given[field.name];
      if (item === undefined) continue;
      if (!Array.isArray(item)) this.#field(item, field);
      else if (field.isPacked) this.#packed(item, field);
      else for (let index = item.length - 1; index >= 0; index--) this.#field(item[index], field);
    }
  }

  #field(value: unknown, { tag, type, inner }: PlannedField): void {
    if (inner === undefined) this.#scalar(value, type as Exclude<FieldType, MessageFields>);
    else {
      const end = this.#at;
      const total = this.#bytes.length;
      this.message(value as object, inner());
      // The buffer may have grown at its beginning.
      this.#varint(end + (this.#bytes.length - total) - this.#at);
    }
    this.#varint(tag);
  }

  #packed(values: readonly unknown[], { tag, type }: PlannedField): void {
    for (let index = values.length - 1; index >= 0; index--) this.#scalar(values[index], type as "fixed64");
    this.#varint(values.length * 8);
    this.#varint((tag & ~7) | 2);
  }

  #scalar(value: unknown, type: Exclude<FieldType, MessageFields>): void {
    switch (type) {
      case "string":
      case "hex": {
        const text = value as string;
        const length = type === "hex" ? text.length / 2 : Buffer.byteLength(text);
        this.#room(length);
        this.#at -= length;
        this.#bytes.write(text, this.#at, type === "hex" ? "hex" : "utf8");
        this.#varint(length);
        return;
      }
      case "double":
        this.#room(8);
        this.#at -= 8;
        this.#bytes.writeDoubleLE(value as number, this.#at);
        return;
      case "fixed64":
      case "sfixed64":
        this.#room(8);
        this.#at -= 8;
        this.#bytes.writeBigUInt64LE(BigInt(value as string | number), this.#at);
        return;
      case "int64":
      case "varint":
        this.#varint(Number(value));
        return;
      case "bool":
        this.#varint(value === true ? 1 : 0);
        return;
    }
  }

  /** Never negative here. */
  #varint(value: number): void {
    this.#room(10);
    let [length, rest] = [1, Math.floor(value / 128)];
    for (; rest > 0; rest = Math.floor(rest / 128)) length++;
    this.#at -= length;
    let left = value;
    for (let index = 0; index < length; index++) {
      const more = index === length - 1 ? 0 : 128;
      this.#bytes[this.#at + index] = (left % 128) | more;
      left = Math.floor(left / 128);
    }
  }

  #room(needed: number): void {
    if (this.#at >= needed) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#bytes.length + needed));
    const shift = grown.length - this.#bytes.length;
    this.#bytes.copy(grown, this.#at + shift, this.#at);
    this.#bytes = grown;
    this.#at += shift;
  }
}
