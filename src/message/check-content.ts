/**
 * Registration checks of size, options and route: checks 7, 9, 10, 11 and 13 in the service's
 * order.
 */
import type { Check } from "./candidate.ts";
import { bodySize, isKakaoType, isMessageType, typeLimits } from "./type.ts";

/** 7: the body fits its type. */
export const bodyProblem: Check = ({ message, type }) => {
  if (!isMessageType(type) || !message.text) return undefined;
  const limit = typeLimits[type];
  const size = bodySize(message.text, limit);
  if (size <= limit.most) return undefined;
  const text = `the text has ${size} ${limit.unit}, ${type} allows ${limit.most}`;
  return { code: "1031", field: "text", text };
};

/** Stored messages carry every option as null, false or []: those say nothing. */
const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** 9: Kakao options go with Kakao types. */
export const kakaoProblem: Check = ({ message, type }) => {
  const options = message.kakaoOptions;
  if (options === undefined || isKakaoType(type)) return undefined;
  if (Object.values(options).every(saysNothing)) return undefined;
  const text = `kakaoOptions do not go with ${type}`;
  return { code: "1033", field: "kakaoOptions", text };
};

/** 10 as far as no books are needed: a picture is given where the type shows one. */
export const imageProblem: Check = ({ message, type }) => {
  if (type === "MMS" && !message.imageId) {
    return { code: "1010", field: "imageId", text: "an MMS needs imageId" };
  }
  if (type === "CTI" && !message.kakaoOptions?.imageId) {
    return { code: "1051", field: "kakaoOptions.imageId", text: "a CTI needs an image" };
  }
  return undefined;
};

/** 11 as far as no books are needed: a channel, and a template for alimtalk. */
export const channelProblem: Check = ({ message, type }) => {
  const options = message.kakaoOptions ?? {};
  if (isKakaoType(type) && !options.pfId && !options.pfGroupId) {
    return { code: "1041", field: "kakaoOptions.pfId", text: `${type} needs a channel` };
  }
  if (type === "ATA" && !options.templateId && !options.templateCode) {
    return { code: "1042", field: "kakaoOptions.templateId", text: "ATA needs a template" };
  }
  return undefined;
};

/** 13 as far as no books are needed: abroad, SMS only. */
export const routeProblem: Check = ({ type, country }) =>
  country === "82" || type === "SMS"
    ? undefined
    : { code: "1058", field: "country", text: `${type} has no route to country ${country}` };
